import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { db } from "#lib/db.ts";
import { switchNames, type ExportSettings, type ExportSettingsUpdate } from "./schema.ts";
import { serializeSettings } from "./serialize.ts";
import { settingsRow, writeSettings, type SettingsRow } from "./sql.ts";

/**
 * Sets the named switches. In force with the commit: the queue reads them with every reserve. What was that way
 * already leaves no trace.
 */
export async function updateSettings(actor: Actor, change: ExportSettingsUpdate): Promise<ExportSettings> {
  const row = await db.$transaction(async (tx) => {
    const before = await settingsRow(tx, "lock");
    const named = switchNames.filter((name) => change[name] !== undefined && change[name] !== before[name]);
    if (named.length === 0) return before;
    const after = await writeSettings(tx, change);
    const pick = (settings: SettingsRow) => Object.fromEntries(named.map((name) => [name, settings[name]]));
    await recordAudit(tx, actor, {
      action: "settings.update",
      subject: "Export settings",
      before: pick(before),
      after: pick(after),
    });
    return after;
  });
  return serializeSettings(row);
}
