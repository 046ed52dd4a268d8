import { db } from "#lib/db.ts";
import { requirementBits, type ExportSwitches } from "./holds.ts";

/** The switches of the export settings now. */
export async function readSwitches(): Promise<ExportSwitches> {
  return db.export_setting.findUniqueOrThrow({
    where: { id: 1 },
    select: { require_media: true, require_alt_text: true, auto_reject_bots: true },
  });
}

/** The requirements of the switches that are on, as bits of queue_entry.missing. */
export function maskOf(switches: ExportSwitches): number {
  let mask = 0;
  for (const [name, bit] of Object.entries(requirementBits))
    if (switches[name as keyof ExportSwitches]) mask |= bit;
  return mask;
}
