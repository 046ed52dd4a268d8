import { recordAudit } from "#lib/accounts/record-audit.ts";
import { toIso } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { BULK_TIMEOUT_MS } from "#lib/base/transaction.ts";
import { changeHolds } from "#lib/queue/hold-changes.ts";
import { switches } from "#lib/queue/switches.ts";
import { countTime } from "#lib/review/unchanged-since.ts";
import { rejectAsFilter, returnRejected } from "./blocks.ts";
import { countSwitchReach, rejectedBySwitch, unreviewedMatching } from "./find-blocks.ts";
import {
  switchNames,
  type ExportSettings,
  type ExportSettingsUpdate,
  type SwitchesChanged,
  type SwitchName,
} from "./schema.ts";

/** The time that a restore has lost: from the backup to the restore. Null when an admin has resumed deliveries since. */
export async function lostHours(): Promise<{ from: string; to: string } | null> {
  const { restored_from: from, restored_at: to } = await db.installation.findFirstOrThrow();
  return from === null || to === null ? null : { from: toIso(from), to: toIso(to) };
}

/** The switches, with the times of their row. */
export async function getSettings(): Promise<ExportSettings> {
  const { value, created_at, updated_at } = await switches.readRow();
  return { ...value, created_at: toIso(created_at), updated_at: toIso(updated_at) };
}

type Values = Record<SwitchName, boolean>;

/** Switches that reject waiting posts, and the reason that is stored with the rejection. */
const rejecting = [
  ["auto_reject_blocked_users", "blocked_user"],
  ["auto_reject_blocked_hashtags", "blocked_hashtag"],
  ["auto_reject_bots", "bot"],
] as const;

/** Switches that hold approved posts (hold_bits). */
const holding = new Set<SwitchName>(["require_media", "require_alt_text", "auto_reject_bots"]);

function changedNames(before: Values, after: Values): SwitchName[] {
  return switchNames.filter((name) => after[name] !== before[name]);
}

/** Counts what `updateSettings` would do, without changing anything. */
export async function countSettings(change: ExportSettingsUpdate): Promise<SwitchesChanged> {
  const as_of = await countTime();
  const before = await switches.read();
  const after = { ...before, ...change };
  const reach = { ...(await countSwitchReach(db, before, after)), rejected: 0, returned: 0 };
  for (const [name] of rejecting) {
    if (after[name] && !before[name]) reach.rejected += (await unreviewedMatching(db, name)).length;
    if (before[name] && !after[name]) reach.returned += (await rejectedBySwitch(db, name, after)).length;
  }
  return { ...(await getSettings()), ...change, ...reach, as_of };
}

/**
 * Changes switches. One that rejects acts at once on posts that wait for review, and returns them when it is switched off. A
 * request that changes nothing writes no line in the audit log.
 *
 * @param asOf time of a count: waiting posts that came or changed later are not rejected
 */
export async function updateSettings(
  actor: Actor,
  change: ExportSettingsUpdate,
  asOf?: Date,
): Promise<SwitchesChanged> {
  const reach = await changeHolds(async (tx) => {
    const before = await switches.lock(tx);
    const after = { ...before, ...change };
    const changed = changedNames(before, after);
    const result = { ...(await countSwitchReach(tx, before, after)), rejected: 0, returned: 0 };
    if (changed.length === 0) return { result, changes: [] };
    await switches.set(change, tx);
    // An admin has looked at what a restore has lost.
    if (change.deliveries_paused === false)
      await tx.installation.updateMany({ data: { restored_from: null } });
    const pick = (from: Values) => Object.fromEntries(changed.map((name) => [name, from[name]]));
    await recordAudit(tx, actor, {
      action: "settings.update",
      // The title of the panel on the page Blocking.
      subject: "Switches",
      before: pick(before),
      after: pick(after),
    });
    for (const [name, reason] of rejecting) {
      if (!changed.includes(name)) continue;
      if (after[name]) {
        const ids = await unreviewedMatching(tx, name);
        result.rejected += await rejectAsFilter(tx, actor, ids, { reason, set: name, asOf });
      } else {
        const ids = await rejectedBySwitch(tx, name, after);
        result.returned += await returnRejected(tx, actor, ids, "Switched off");
      }
    }
    return {
      result,
      changes: changed.some((name) => holding.has(name)) ? [{ pattern_type: "switch", patterns: [] }] : [],
    };
  }, BULK_TIMEOUT_MS);
  return { ...(await getSettings()), ...reach };
}
