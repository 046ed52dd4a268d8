import { db } from "#lib/db.ts";
import type { ExportSettings } from "./schema.ts";
import { serializeSettings } from "./serialize.ts";
import { settingsRow } from "./sql.ts";

/** The export settings in force. */
export async function getSettings(): Promise<ExportSettings> {
  return serializeSettings(await settingsRow(db, "read"));
}
