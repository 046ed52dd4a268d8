import { compactRows } from "./sql.ts";

const BATCH = 20_000;

/**
 * Adds up what triggers noted, for counters and statistics, until little is left or the deadline comes. For the
 * worker, every few seconds, and for whoever reads statistics. Several at once do it one after the other.
 * @returns how many notes were added up
 */
export async function compactFigures(deadline: Date): Promise<{ compacted: number }> {
  let compacted = 0;
  for (;;) {
    const n = await compactRows(BATCH);
    compacted += n;
    if (n < BATCH || Date.now() >= deadline.getTime()) return { compacted };
  }
}
