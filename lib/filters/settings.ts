import { toIso } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import type { ExportSettings } from "./schema.ts";

/** The switches; lib/blocking/switches.ts changes them. */
export async function getSettings(): Promise<ExportSettings> {
  const { id, created_at, updated_at, ...switches } = await db.export_setting.findUniqueOrThrow({
    where: { id: 1 },
  });
  return { ...switches, created_at: toIso(created_at), updated_at: toIso(updated_at) };
}
