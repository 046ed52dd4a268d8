import type { ActionKind, Outlook, StoredAction } from "#lib/actions/action-kind.ts";
import { createPreview, takeCounted } from "#lib/actions/previews.ts";
import { recordAction } from "#lib/actions/record-action.ts";
import type { ActionPreview } from "#lib/actions/schema.ts";
import type { Principal } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { now as timeNow, toIso } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { countSwitchReach, type SwitchReach } from "./reach-sql.ts";
import { switchNames, type ExportSettings, type ExportSettingsUpdate, type SwitchName } from "./schema.ts";

const where = { id: 1 };
const SETTINGS = "settings";
/** Of audit lines: the title of the panel on the page Blocking. */
const SUBJECT = "Switches";

export async function getSettings(): Promise<ExportSettings> {
  const { id, created_at, updated_at, ...switches } = await db.export_setting.findUniqueOrThrow({ where });
  return { ...switches, created_at: toIso(created_at), updated_at: toIso(updated_at) };
}

/** Pending posts that the change would hold or release; posts that something else holds are not counted. */
export async function previewSettings(
  principal: Principal,
  { preview: _, ...change }: ExportSettingsUpdate,
): Promise<ActionPreview> {
  const before = await db.export_setting.findUniqueOrThrow({ where });
  const reach = await countSwitchReach(db, before, { ...before, ...change });
  const changed = changedNames(before, change);
  const counted: Counted = { ...reach, changed };
  return createPreview(principal, SETTINGS, change, counted, {
    changes: changed.length,
    counts: { ...reach },
    warnings: [],
  });
}

interface Counted extends SwitchReach {
  changed: SwitchName[];
}

function changedNames(before: Record<SwitchName, boolean>, change: Switches): SwitchName[] {
  return switchNames.filter((name) => change[name] !== undefined && change[name] !== before[name]);
}

/**
 * The queue reads the switches on every reserve. A request that changes nothing writes no audit line.
 *
 * @throws ApiError `reach_grown`, `action_done`, `preview_not_valid`
 */
export async function updateSettings(
  principal: Principal,
  { preview, ...change }: ExportSettingsUpdate,
): Promise<ExportSettings> {
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT FROM export_setting FOR UPDATE`;
    const before = await tx.export_setting.findUniqueOrThrow({ where });
    const changed = changedNames(before, change);
    if (preview !== undefined) {
      const counted = await takeCounted<Counted>(tx, principal, preview, SETTINGS, change);
      if (counted.changed.join() !== changed.join()) throw new ApiError("preview_not_valid");
      const now = await countSwitchReach(tx, before, { ...before, ...change });
      if (now.held > counted.held || now.released > counted.released) throw new ApiError("reach_grown");
    }
    if (changed.length === 0) return;
    const after = await tx.export_setting.update({ where, data: { ...change, updated_at: timeNow() } });
    const pick = (from: Record<SwitchName, boolean>) =>
      Object.fromEntries(changed.map((name) => [name, from[name]]));
    await recordAudit(tx, principal, {
      action: "settings.update",
      subject: SUBJECT,
      before: pick(before),
      after: pick(after),
    });
    await recordAction(tx, principal, {
      id: preview,
      kind: SETTINGS,
      changed: changed.length,
      details: { switches: pick(after) },
      before: pick(before),
    });
  });
  return getSettings();
}

type Switches = { [Name in SwitchName]?: boolean | undefined };

/** Switches that are as the action left them. */
function unchangedSince(action: StoredAction, now: Switches): SwitchName[] {
  const { switches } = action.details as { switches: Switches };
  return switchNames.filter((name) => switches[name] !== undefined && switches[name] === now[name]);
}

function settingsOutlook(action: StoredAction, now: Switches): Outlook {
  const restorable = unchangedSince(action, now).length;
  return { restorable, limits: { changed_again: action.changed - restorable } };
}

export const settingsKind: ActionKind = {
  scope: "manage",
  outlook: async (actions) => {
    const now = await db.export_setting.findUniqueOrThrow({ where });
    return new Map(actions.map((action) => [action.id, settingsOutlook(action, now)]));
  },
  undo: async (tx, actor, action) => {
    await tx.$executeRaw`SELECT FROM export_setting FOR UPDATE`;
    const now = await tx.export_setting.findUniqueOrThrow({ where });
    const names = unchangedSince(action, now);
    const before = action.before as Switches;
    const { restorable, limits } = settingsOutlook(action, now);
    const data = Object.fromEntries(names.map((name) => [name, before[name]]));
    if (restorable > 0) {
      await tx.export_setting.update({ where, data: { ...data, updated_at: timeNow() } });
      const undone = Object.fromEntries(names.map((name) => [name, now[name]]));
      const audit = { action: "settings.update", subject: SUBJECT };
      await recordAudit(tx, actor, { ...audit, before: undone, after: data });
    }
    return { restored: restorable, limits };
  },
};
