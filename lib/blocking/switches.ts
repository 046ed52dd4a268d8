import { recordAudit } from "#lib/accounts/record-audit.ts";
import { db, type Tx } from "#lib/base/db.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { changeHolds } from "#lib/queue/hold-changes.ts";
import { switches } from "#lib/queue/switches.ts";
import type { AutoRejectReason } from "#lib/review/post-row.ts";
import { countTime } from "#lib/review/unchanged-since.ts";
import { countSwitchReach, findUnreviewedMatching, rejectedBySwitch } from "./find-blocks.ts";
import { switchNames, type ExportSettingsUpdate, type SwitchesChanged, type SwitchName } from "./schema.ts";
import { getSettings } from "./settings.ts";
import { rejectAsFilter, returnRejected } from "./reject-waiting.ts";
import { TIMEOUT_MS } from "./blocks.ts";

/** Switches that reject waiting posts, and the reason that they give. */
const rejecting = {
  auto_reject_blocked_users: "blocked_user",
  auto_reject_blocked_hashtags: "blocked_hashtag",
  auto_reject_bots: "bot",
} as const satisfies Partial<Record<SwitchName, AutoRejectReason>>;

/** Switches that hold approved posts (hold_bits). */
const holding = new Set<SwitchName>(["require_media", "require_alt_text", "auto_reject_bots"]);

const rejectingNames = Object.keys(rejecting) as (keyof typeof rejecting)[];

/** The answer that `updateSettings` would give; nothing is changed. */
export async function countSettings(change: ExportSettingsUpdate): Promise<SwitchesChanged> {
  const as_of = await countTime();
  const before = await switches.read();
  const changed = changedNames(before, change);
  const { held, released } = await countSwitchReach(db, before, { ...before, ...change });
  let rejected = 0;
  let returned = 0;
  for (const name of rejectingNames.filter((each) => changed.includes(each))) {
    if (change[name] === true) rejected += (await findUnreviewedMatching[rejecting[name]](db)).length;
    else returned += (await rejectedBySwitch(db, name, { ...before, ...change })).length;
  }
  return { ...(await getSettings()), ...change, held, released, rejected, returned, as_of };
}

function changedNames(before: Record<SwitchName, boolean>, change: ExportSettingsUpdate): SwitchName[] {
  return switchNames.filter((name) => change[name] !== undefined && change[name] !== before[name]);
}

/**
 * A switch that rejects acts at once on posts that wait for review; switched
 * off, it returns those. A request that changes nothing writes no audit line.
 *
 * @param asOf time of a count: waiting posts that came or changed since are not rejected
 */
export async function updateSettings(
  actor: Actor,
  change: ExportSettingsUpdate,
  asOf?: Date,
): Promise<SwitchesChanged> {
  const reach = await changeHolds(async (tx) => {
    const before = await switches.lock(tx);
    const changed = changedNames(before, change);
    const { held, released } = await countSwitchReach(tx, before, { ...before, ...change });
    if (changed.length === 0) return { result: { held, released, rejected: 0, returned: 0 }, changes: [] };
    const after = { ...before, ...change };
    await switches.set(change, tx);
    // An admin has looked at what a restore has lost.
    if (change.deliveries_paused === false)
      await tx.installation.updateMany({ data: { restored_from: null, restored_at: null } });
    const pick = (from: Record<SwitchName, boolean>) =>
      Object.fromEntries(changed.map((name) => [name, from[name]]));
    await recordAudit(tx, actor, {
      action: "settings.update",
      // The title of the panel on the page Blocking.
      subject: "Switches",
      before: pick(before),
      after: pick(after),
    });
    return {
      result: { held, released, ...(await applySwitches(tx, actor, changed, after, asOf)) },
      changes: changed.some((name) => holding.has(name)) ? [{ pattern_type: "switch", patterns: [] }] : [],
    };
  }, TIMEOUT_MS);
  return { ...(await getSettings()), ...reach };
}

async function applySwitches(
  tx: Tx,
  actor: Actor,
  changed: SwitchName[],
  after: Record<SwitchName, boolean>,
  asOf: Date | undefined,
): Promise<{ rejected: number; returned: number }> {
  let rejected = 0;
  let returned = 0;
  for (const name of rejectingNames.filter((each) => changed.includes(each))) {
    const reason = rejecting[name];
    if (after[name])
      rejected += await rejectAsFilter(tx, actor, await findUnreviewedMatching[reason](tx), {
        reason,
        set: name,
        asOf,
      });
    else returned += await returnRejected(tx, actor, await rejectedBySwitch(tx, name, after), "Switched off");
  }
  return { rejected, returned };
}
