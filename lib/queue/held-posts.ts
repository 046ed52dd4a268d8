import {
  heldBy,
  heldReasons,
  missingValues,
  requirementBits,
  type ExportSwitches,
  type HeldReason,
} from "./holds.ts";
import { heldCounts } from "./overview-sql.ts";
import { switches } from "./switches.ts";

export interface HeldPosts {
  held: { reason: string; count: number }[];
  kept_back: number;
  expired: number;
  ready_on_return: number;
}

/** Requirements of the switches, as bits of queue_entry.missing. */
export function maskOf(on: ExportSwitches): number {
  let mask = 0;
  for (const [name, bit] of Object.entries(requirementBits))
    if (on[name as keyof ExportSwitches]) mask |= bit;
  return mask;
}

/** Counts held posts once, by `held_by` in its order of precedence, posts kept back after refusals, and expired reservations. Reads only such posts. */
export async function countHeldPosts(known?: ExportSwitches): Promise<HeldPosts> {
  const on = known ?? (await switches.read());
  const mask = maskOf(on);
  const { counts, ...others } = await heldCounts(missingValues.filter((missing) => missing & mask));
  const byReason = new Map<HeldReason, number>();
  for (const { n, ...entry } of counts) {
    const reason = heldBy(entry, on);
    if (reason !== null) byReason.set(reason, (byReason.get(reason) ?? 0) + n);
  }
  const held = heldReasons.flatMap((reason) => {
    const count = byReason.get(reason);
    return count === undefined ? [] : [{ reason, count }];
  });
  return { held, ...others };
}
