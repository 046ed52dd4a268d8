import { describe, expect, test, vi } from "vitest";
import { log } from "#lib/log.ts";
import { guardHeap } from "./heap-guard.ts";

function heapOf(live: number, garbage: number) {
  const heap = {
    live,
    garbage,
    limit: 100,
    collections: 0,
    used: () => heap.live + heap.garbage,
    collect: () => {
      heap.collections++;
      heap.garbage = 0;
    },
  };
  let time = 0;
  const isShort = guardHeap(heap, () => (time += 10));
  return { heap, isShort, pass: (ms: number) => (time += ms) };
}

describe("requests are refused", () => {
  test("while live objects nearly fill the heap, and no longer", () => {
    const logged = vi.spyOn(log, "warn").mockImplementation(() => undefined);
    const { heap, isShort, pass } = heapOf(90, 5);
    expect([isShort(), isShort()]).toEqual([true, true]);
    expect(heap.collections).toBe(1);
    expect(logged).toHaveBeenCalledTimes(1);
    heap.live = 50;
    heap.garbage = 40;
    pass(1_000);
    expect(isShort()).toBe(false);
    expect(heap.collections).toBe(2);
  });

  test("not because of garbage, which is collected", () => {
    const { heap, isShort } = heapOf(40, 55);
    expect(isShort()).toBe(false);
    expect(heap.collections).toBe(1);
  });

  test("not while there is room, which costs no collection", () => {
    const { heap, isShort } = heapOf(40, 40);
    expect(isShort()).toBe(false);
    expect(heap.collections).toBe(0);
  });
});
