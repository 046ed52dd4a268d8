import { expect, test, vi } from "vitest";
import { freeMemory, machineMemory } from "#lib/machine-memory.ts";
import { warnAboutMemory } from "./build.ts";

test("a build with less than 1.5 GB of free memory is announced with the way out", () => {
  expect(warnAboutMemory(1_500)).toBeNull();
  expect(warnAboutMemory(1_499)).toMatch(
    /^The build may .* 1500 MB of free memory, and there are 1499 MB\. A release archive needs no build/,
  );
});

test("free memory is at most the limit of the container", () => {
  const limit = vi.spyOn(process, "constrainedMemory").mockReturnValue(100 * 2 ** 20);
  expect([machineMemory(), freeMemory()]).toEqual([100, 100]);
  limit.mockReturnValue(0);
  expect(freeMemory()).toBeGreaterThan(0);
  expect(freeMemory()).toBeLessThanOrEqual(machineMemory());
});
