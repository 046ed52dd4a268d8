import { compactRows } from "./sql.ts";

const BATCH = 20_000;

/** Compacts until few deltas are left or the deadline has passed. Concurrent calls run one after the other. */
export async function compactFigures(deadline: Date): Promise<{ compacted: number }> {
  let compacted = 0;
  for (;;) {
    const n = await compactRows(BATCH);
    compacted += n;
    if (n < BATCH || Date.now() >= deadline.getTime()) return { compacted };
  }
}
