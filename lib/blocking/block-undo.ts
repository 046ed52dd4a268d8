import type { ActionKind, Outlook, StoredAction, UndoLimits, UndoOutcome } from "#lib/actions/action-kind.ts";
import type { UndoLimit } from "#lib/actions/schema.ts";
import type { Principal } from "#lib/auth/principal.ts";
import type { Tx } from "#lib/db.ts";
import { applyInRequest, noteListChange } from "#lib/filters/block-changes.ts";
import { putBackEntry, takeOutEntries } from "#lib/filters/block-entries.ts";
import type { Row } from "#lib/filters/block-rows.ts";
import type { BlockKind } from "#lib/filters/schema.ts";
import { decidePosts, lockForReview, undoLimitOf } from "#lib/review/decide-posts.ts";
import { blockOutlookRows, entriesHeldNow, postFates, type BlockPart } from "./blocking-sql.ts";
import type { BlockBefore, Rejected, RejectionBefore, RemovalBefore } from "./blocks.ts";

const bitOf: Record<BlockKind, number> = { user: 1, hashtag: 2 };

/** Removes the entries, releases posts that only they hold, and takes rejections back that nobody changed since. */
const addition: ActionKind = {
  scope: "manage",
  outlook: (actions) =>
    outlooks(actions, ({ id, before }) => {
      const { list, entries, held, rejected } = before as BlockBefore;
      return [
        { action_id: id, role: "listed", list, ids: entries },
        { action_id: id, role: "held", list, ids: held },
        ...rejectedParts(id, rejected),
      ];
    }),
  undo: async (tx, principal, { before }) => {
    const { list, entries, replaced, held, rejected } = before as BlockBefore;
    const outcome = await takeBackRejections(tx, principal, rejected);
    const { removed, changes } = await takeOutEntries(
      tx,
      principal,
      list,
      entries,
      replaced as Row<typeof list>[],
    );
    const ids = await noteListChange(tx, changes);
    limit(outcome, "changed_again", entries.length - removed.length);
    outcome.restored += removed.length;
    // Posts of entries that somebody removed before are released already.
    await judgeEntries(tx, outcome, held, (bits) => (bits & bitOf[list]) === 0 && removed.length > 0);
    return { ...outcome, after: () => applyInRequest(ids) };
  },
};

export const blockKind: ActionKind = { ...addition, scope: "review" };
export const blockImportKind = addition;

export const unblockKind: ActionKind = {
  scope: "review",
  outlook: (actions) =>
    outlooks(actions, ({ id, before }) => {
      const { list, row, released } = before as RemovalBefore;
      return [
        { action_id: id, role: "unlisted", list, ids: [row.id] },
        { action_id: id, role: "released", list, ids: released },
      ];
    }),
  undo: async (tx, principal, { before }) => {
    const { list, row, released } = before as RemovalBefore;
    const { restored, changes } = await putBackEntry(tx, principal, list, row);
    const ids = await noteListChange(tx, changes);
    const outcome: Restored = { restored: restored ? 1 : 0, limits: restored ? {} : { changed_again: 1 } };
    await judgeEntries(tx, outcome, released, (bits) => (bits & bitOf[list]) !== 0 && restored);
    return { ...outcome, after: () => applyInRequest(ids) };
  },
};

export const rejectBlockedKind: ActionKind = {
  scope: "manage",
  outlook: (actions) =>
    outlooks(actions, ({ id, before }) => rejectedParts(id, (before as RejectionBefore).rejected)),
  undo: (tx, principal, { before }) =>
    takeBackRejections(tx, principal, (before as RejectionBefore).rejected),
};

export type Restored = Omit<UndoOutcome, "after">;

export function limit(outcome: { limits: UndoLimits }, reason: UndoLimit, n = 1): void {
  if (n > 0) outcome.limits[reason] = (outcome.limits[reason] ?? 0) + n;
}

async function takeBackRejections(
  tx: Tx,
  principal: Principal,
  rejected: readonly Rejected[],
): Promise<Restored> {
  const outcome: Restored = { restored: 0, limits: {} };
  // All at once, in order of id.
  await lockForReview(
    tx,
    rejected.flatMap((some) => some.ids),
  );
  for (const { ids, reviewed_at } of rejected) {
    const { changed, unchanged } = await decidePosts(tx, principal, ids, null, {
      note: "block undone",
      undoes: true,
      auto_reject_reason: null,
      only: (post) => post.reviewed_at?.toISOString() === reviewed_at,
    });
    outcome.restored += changed.length;
    for (const each of unchanged) limit(outcome, undoLimitOf[each.why]);
  }
  return outcome;
}

/** Counts queue entries that the changed list restores, and why others stay. */
export async function judgeEntries(
  tx: Tx,
  outcome: Restored,
  ids: number[],
  isRestored: (bits: number) => boolean,
): Promise<void> {
  if (ids.length === 0) return;
  const pending = new Map((await entriesHeldNow(tx, ids)).map(({ post_id, bits }) => [post_id, bits]));
  const fates = new Map((await postFates(tx, ids)).map(({ id, queue_state }) => [id, queue_state]));
  for (const id of ids) {
    const bits = pending.get(id);
    const state = fates.get(id);
    if (bits !== undefined && isRestored(bits)) outcome.restored++;
    else if (bits !== undefined) limit(outcome, "changed_again");
    else if (state === undefined) limit(outcome, "deleted");
    else limit(outcome, state === null ? "decided_again" : "handed_out");
  }
}

function rejectedParts(action_id: string, rejected: readonly Rejected[]): BlockPart[] {
  return rejected.map(({ list, ids, reviewed_at }) => ({
    action_id,
    role: "rejected",
    list,
    ids,
    reviewed_at,
  }));
}

export async function outlooks(
  actions: readonly StoredAction[],
  partsOf: (action: StoredAction) => BlockPart[],
): Promise<Map<string, Outlook>> {
  const found = new Map(
    actions.map(({ id }) => [id, { restorable: 0, limits: {} as UndoLimits } satisfies Outlook]),
  );
  for (const { action_id, limit: reason, n } of await blockOutlookRows(actions.flatMap(partsOf))) {
    const outlook = found.get(action_id);
    if (outlook === undefined) continue;
    if (reason === null) outlook.restorable += n;
    else outlook.limits[reason] = n;
  }
  return found;
}
