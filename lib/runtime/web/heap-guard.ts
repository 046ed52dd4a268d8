import v8 from "node:v8";
import { runInNewContext } from "node:vm";
import { log } from "#lib/log.ts";

/**
 * Share of the old generation's limit above which requests are refused. Above 0.8, V8 ends a process after four slow
 * collections that freed little ("Ineffective mark-compacts near heap limit").
 */
const REFUSE_ABOVE = 0.8;
/** Time between collections that this module asks for: after one that made room, and after one that did not. */
const COLLECT_EVERY_MS = { roomy: 100, short: 1_000 };

type Heap = { used: () => number; limit: number; collect: () => void };

/**
 * @returns a function that says whether the heap has too little room for another request. Garbage does not count: it is
 *   collected first.
 */
export function guardHeap(heap: Heap = heapOfProcess(), now = () => performance.now()): () => boolean {
  const most = heap.limit * REFUSE_ABOVE;
  let collectedAt = -Infinity;
  let isShort = false;
  return () => {
    if (heap.used() <= most) return (isShort = false);
    const time = now();
    if (time - collectedAt < (isShort ? COLLECT_EVERY_MS.short : COLLECT_EVERY_MS.roomy)) return isShort;
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
  const limit = oldGenerationLimit(process.execArgv) ?? v8.getHeapStatistics().heap_size_limit;
  return { used: () => v8.getHeapStatistics().used_heap_size, limit, collect };
}

/** The heap's limit in V8's statistics also counts the semi-spaces of young objects. */
function oldGenerationLimit(flags: string[]): number | undefined {
  const flag = flags.findLast((given) => given.startsWith("--max-old-space-size="));
  return flag === undefined ? undefined : Number(flag.split("=")[1]) * 2 ** 20;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
