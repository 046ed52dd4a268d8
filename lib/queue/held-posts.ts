import { db } from "#lib/base/db.ts";
import {
  heldBy,
  heldReasons,
  missingValues,
  requirementBits,
  type ExportSwitches,
  type HeldReason,
} from "./holds.ts";
import { heldCounts } from "./overview-sql.ts";

export interface HeldPosts {
  held: { reason: string; count: number }[];
  kept_back: number;
  expired: number;
  ready_on_return: number;
}

export async function readSwitches(): Promise<ExportSwitches> {
  return db.export_setting.findUniqueOrThrow({
    where: { id: 1 },
    select: { require_media: true, require_alt_text: true, auto_reject_bots: true },
  });
}

/** Requirements of the switches, as bits of queue_entry.missing. */
export function maskOf(switches: ExportSwitches): number {
  let mask = 0;
  for (const [name, bit] of Object.entries(requirementBits))
    if (switches[name as keyof ExportSwitches]) mask |= bit;
  return mask;
}

/** Counts held posts once, by `held_by` in its order of precedence, posts kept back after refusals, and expired reservations. Reads only such posts. */
export async function countHeldPosts(switches?: ExportSwitches): Promise<HeldPosts> {
  const on = switches ?? (await readSwitches());
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
