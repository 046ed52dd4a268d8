import { setImmediate as nextTurn } from "node:timers/promises";

/** Milliseconds of work before other events get a turn. */
const SLICE_MS = 10;

/** Like `Array.map`, for costly work on untrusted items: the event loop runs between items. */
export async function mapInSlices<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const results: R[] = [];
  let began = performance.now();
  for (const item of items) {
    results.push(map(item));
    if (performance.now() - began < SLICE_MS) continue;
    await nextTurn();
    began = performance.now();
  }
  return results;
}
