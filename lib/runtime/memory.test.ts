import { describe, expect, test } from "vitest";
import { machineMemory } from "#lib/machine-memory.ts";
import { defaultBudget, heapFlags } from "./memory.ts";

describe("the memory budget", () => {
  test.each([
    [512, 600],
    [1_000, 600],
    [2_000, 1_200],
    [64_000, 1_536],
  ])("of a machine with %i MB is %i MB", (memory, budget) => {
    expect(defaultBudget(memory)).toBe(budget);
  });

  test("is never more than the machine has", () => {
    expect(machineMemory()).toBeGreaterThan(0);
    expect(machineMemory() * 2 ** 20).toBeLessThanOrEqual(process.constrainedMemory() || Infinity);
  });

  test("limits the heaps of web process and worker", () => {
    expect(heapFlags("web", 600)).toEqual(["--max-old-space-size=153", "--max-semi-space-size=8"]);
    expect(heapFlags("worker", 600)).toEqual(["--max-old-space-size=76", "--max-semi-space-size=4"]);
    expect(heapFlags("web", 1_536)).toEqual(["--max-old-space-size=777", "--max-semi-space-size=16"]);
  });

  test("is that of one process when the supervisor has no other", () => {
    expect(heapFlags("web", 600, true)[0]).toBe("--max-old-space-size=335");
    expect(heapFlags("worker", 600, true)[0]).toBe("--max-old-space-size=390");
  });
});
