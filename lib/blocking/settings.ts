import { toIso } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { switches } from "#lib/queue/switches.ts";
import type { ExportSettings } from "./schema.ts";

/** The hours that a restore lost: from the backup to the restore. Null once deliveries were resumed. */
export async function lostHours(): Promise<{ from: string; to: string } | null> {
  const { restored_from: from, restored_at: to } = await db.installation.findFirstOrThrow();
  return from === null || to === null ? null : { from: toIso(from), to: toIso(to) };
}

/** The switches; lib/blocking/switches.ts changes them. */
export async function getSettings(): Promise<ExportSettings> {
  const { value, created_at, updated_at } = await switches.readRow();
  return { ...value, created_at: toIso(created_at), updated_at: toIso(updated_at) };
}
