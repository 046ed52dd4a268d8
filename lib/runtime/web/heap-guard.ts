import v8 from "node:v8";
import { runInNewContext } from "node:vm";
import { log } from "#lib/log.ts";

/** Share of the heap's limit above which requests are refused. V8 ends a process whose heap is full. */
const REFUSE_ABOVE = 0.85;
const SAMPLE_EVERY_MS = 5;
/** Milliseconds between collections that this module asks for: after one that made room, and after one that did not. */
const COLLECT_EVERY = { roomy: 100, short: 1_000 };

type Heap = { used: () => number; limit: number; collect: () => void };

/**
 * @returns a function that says whether the heap has too little room for another request. Garbage does not count: it is
 *   collected first.
 */
export function guardHeap(heap: Heap = heapOfProcess(), now = () => performance.now()): () => boolean {
  const most = heap.limit * REFUSE_ABOVE;
  let sampledAt = -Infinity;
  let collectedAt = -Infinity;
  let isShort = false;
  return () => {
    const time = now();
    if (time - sampledAt < SAMPLE_EVERY_MS) return isShort;
    sampledAt = time;
    if (heap.used() <= most) return (isShort = false);
    if (time - collectedAt < (isShort ? COLLECT_EVERY.short : COLLECT_EVERY.roomy)) return isShort;
    collectedAt = time;
    heap.collect();
    const used = heap.used();
    isShort = used > most;
    if (isShort)
      log.warn(
        { used_mb: megabytes(used), limit_mb: megabytes(heap.limit) },
        "heap is nearly full, requests are refused",
      );
    return isShort;
  };
}

function heapOfProcess(): Heap {
  v8.setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const { heap_size_limit: limit } = v8.getHeapStatistics();
  return { used: () => v8.getHeapStatistics().used_heap_size, limit, collect };
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
