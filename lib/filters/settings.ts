import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { now, toIso } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import { switchNames, type ExportSettings, type ExportSettingsUpdate, type SwitchName } from "./schema.ts";

const where = { id: 1 };

export async function getSettings(): Promise<ExportSettings> {
  const { id, created_at, updated_at, ...switches } = await db.export_setting.findUniqueOrThrow({ where });
  return { ...switches, created_at: toIso(created_at), updated_at: toIso(updated_at) };
}

/** The queue reads the switches on every reserve. A request that changes nothing writes no audit line. */
export async function updateSettings(actor: Actor, change: ExportSettingsUpdate): Promise<ExportSettings> {
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT FROM export_setting FOR UPDATE`;
    const before = await tx.export_setting.findUniqueOrThrow({ where });
    const changed = switchNames.filter((name) => change[name] !== undefined && change[name] !== before[name]);
    if (changed.length === 0) return;
    const after = await tx.export_setting.update({ where, data: { ...change, updated_at: now() } });
    const pick = (from: Record<SwitchName, boolean>) =>
      Object.fromEntries(changed.map((name) => [name, from[name]]));
    await recordAudit(tx, actor, {
      action: "settings.update",
      subject: "Export settings",
      before: pick(before),
      after: pick(after),
    });
  });
  return getSettings();
}
