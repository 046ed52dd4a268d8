import { heldBy, lackBits } from "./holds.ts";
import { heldCounts } from "./overview-sql.ts";
import { maskOf, readSwitches } from "./queue-overview.ts";

const EVERY_LACK = Object.values(lackBits).reduce((all, bit) => all | bit, 0);

/**
 * What is approved and not handed out at this moment: each post once, under the reason that `held_by` names, and those
 * that wait because they were refused again and again. Agrees with `queueOverview`, and reads only what is held.
 */
export async function heldNow(): Promise<{ held: { reason: string; count: number }[]; kept_back: number }> {
  const switches = await readSwitches();
  const mask = maskOf(switches);
  const objected = Array.from({ length: EVERY_LACK + 1 }, (_, lacks) => lacks).filter(
    (lacks) => lacks & mask,
  );
  const { counts, kept_back } = await heldCounts(objected);
  const byReason = new Map<string, number>();
  for (const { n, ...entry } of counts) {
    const reason = heldBy(entry, switches) ?? "unknown";
    byReason.set(reason, (byReason.get(reason) ?? 0) + n);
  }
  const held = [...byReason].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count);
  return { held, kept_back };
}
