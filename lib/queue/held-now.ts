import { heldBy, missingValues, type ExportSwitches } from "./holds.ts";
import { heldCounts } from "./overview-sql.ts";
import { maskOf, readSwitches } from "./switches.ts";

export interface HeldNow {
  held: { reason: string; count: number }[];
  kept_back: number;
}

/**
 * What is approved and not handed out at this moment: each post once, under the reason that `held_by` names, and those
 * that wait because they were refused again and again. Reads only what is held.
 */
export async function heldNow(): Promise<HeldNow> {
  return heldUnder(await readSwitches());
}

/** The same under these switches. */
export async function heldUnder(switches: ExportSwitches): Promise<HeldNow> {
  const mask = maskOf(switches);
  const objected = missingValues.filter((missing) => missing & mask);
  const { counts, kept_back } = await heldCounts(objected);
  const byReason = new Map<string, number>();
  for (const { n, ...entry } of counts) {
    const reason = heldBy(entry, switches) ?? "unknown";
    byReason.set(reason, (byReason.get(reason) ?? 0) + n);
  }
  const held = [...byReason].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count);
  return { held, kept_back };
}
