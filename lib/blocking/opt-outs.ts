import type { ActionKind, StoredAction } from "#lib/actions/action-kind.ts";
import { createPreview, takeCounted } from "#lib/actions/previews.ts";
import { recordAction } from "#lib/actions/record-action.ts";
import type { ActionPreview } from "#lib/actions/schema.ts";
import type { Principal } from "#lib/auth/principal.ts";
import type { OptOutDecision, OptOutReach } from "#lib/consent/opt-out-schema.ts";
import {
  heldByReport,
  optOutKey,
  reopenOptOut,
  resolveInside,
  stillClosed,
  type OptOutClosing,
  type OptOutResolution,
} from "#lib/consent/opt-outs.ts";
import { db, type Prisma, type Tx } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { forgetAuthors, postsOfAuthor } from "#lib/posts/forget-authors.ts";
import { applyInRequest, changeBlockLists, noteListChange } from "#lib/filters/block-changes.ts";
import { takeOutEntries } from "#lib/filters/block-entries.ts";
import { listOf } from "#lib/filters/block-kinds.ts";
import { judgeEntries, limit, outlooks, type Restored } from "./block-undo.ts";
import { refuseGrown, TIMEOUT_MS } from "./blocks.ts";

/*
 * Decisions about reported opt-outs: a count, the decision, and its undo. A confirmation forgets the author as the
 * author's own refusal does; its undo opens the report again and removes the block, without the posts.
 */

const OPT_OUT = "opt_out";

interface CountedOptOut {
  released: number[];
  /** Absent in previews of former versions, which deleted nothing. */
  deleted?: number[];
}

/** @throws ApiError `opt_out_not_found` when none is open */
export async function previewOptOut(
  principal: Principal,
  { account, resolution }: OptOutReach,
): Promise<ActionPreview> {
  const key = optOutKey(account);
  const reach = await reachOf(db, key, resolution);
  if (!reach.open) throw new ApiError("opt_out_not_found");
  const { released, deleted, counts, warnings } = reach;
  const data: CountedOptOut = { released, deleted };
  return createPreview(principal, OPT_OUT, { key, resolution }, data, {
    changes: 1 + counts.entries + released.length + deleted.length,
    counts,
    warnings,
  });
}

async function reachOf(tx: Tx, key: string, resolution: OptOutResolution) {
  const { open, only: released, also } = await heldByReport(tx, key);
  if (resolution === "dismissed") {
    const counts = { released: released.length, held: also, entries: 0 };
    return { open, released, deleted: [], counts, warnings: [] };
  }
  const entry = { account_identifier: key, pattern_type: "exact", notes: null } as const;
  const isListed = (await listOf("user").listed([entry])).length > 0;
  const deleted = await postsOfAuthor(tx, key);
  const warnings = [...deletionWarning(deleted.length)];
  const counts = { released: 0, held: 0, entries: isListed ? 0 : 1, deleted: deleted.length };
  return { open, released: [], deleted, counts, warnings };
}

function deletionWarning(count: number): ActionPreview["warnings"] {
  if (count === 0) return [];
  const posts = count === 1 ? "1 post is" : `${count} posts are`;
  const detail = `${posts} deleted for good: an undo opens the report again and removes only the block`;
  return [{ code: "no_undo", count, detail }];
}

/** `before` of a decision. */
interface OptOutBefore {
  closing: OptOutClosing;
  blocked: number[];
  released: number[];
  /** Number of deleted posts, which stay deleted. Absent in actions of former versions. */
  deleted?: number;
}

/**
 * @throws ApiError `opt_out_not_found` when none is open or another member decided it; `reach_grown`, `action_done`,
 *   `preview_not_valid`
 */
export async function decideOptOut(
  principal: Principal,
  account: string,
  { resolution, preview }: OptOutDecision,
): Promise<void> {
  const key = optOutKey(account);
  await changeBlockLists(
    principal,
    async (tx) => {
      const counted =
        preview === undefined ? undefined : await take(tx, principal, preview, { key, resolution });
      const { open, only } = await heldByReport(tx, key);
      if (!open) throw new ApiError("opt_out_not_found");
      const released = resolution === "dismissed" ? only : [];
      refuseGrown(released, counted?.released);
      // Posts and queue entries are locked before the report.
      const deleted = resolution === "confirmed" ? await forget(tx, principal, key, counted) : 0;
      const after = resolution === "confirmed" ? { deleted_posts: deleted } : undefined;
      const closed = await resolveInside(tx, principal, key, resolution, after);
      if (closed === null) throw new ApiError("opt_out_not_found");
      const { closing, blocked, changes } = closed;
      const settle = () =>
        recordAction(tx, principal, {
          id: preview,
          kind: "opt_out",
          changed: 1 + blocked.length + released.length + deleted,
          details: {
            account: `@${key}`,
            resolution,
            released: released.length,
            deleted,
          },
          before: {
            closing,
            blocked,
            released,
            deleted,
          } satisfies OptOutBefore as unknown as Prisma.InputJsonObject,
        });
      return { result: undefined, changes, settle };
    },
    TIMEOUT_MS,
  );
}

/** @returns the number of deleted posts, never more than were counted */
async function forget(
  tx: Tx,
  principal: Principal,
  author_key: string,
  counted: CountedOptOut | undefined,
): Promise<number> {
  const refusal = { author_key, uri_host: null, rule: "reported" } as const;
  const { deleted } = await forgetAuthors(tx, [refusal], principal);
  if (counted !== undefined) refuseGrown(deleted, counted.deleted ?? []);
  return deleted.length;
}

function take(tx: Tx, principal: Principal, token: string, args: object): Promise<CountedOptOut> {
  return takeCounted<CountedOptOut>(tx, principal, token, OPT_OUT, args);
}

const beforeOf = ({ before }: StoredAction) => before as OptOutBefore;

/** Opens the report again, which holds the author's posts, and removes the block. Deleted posts stay deleted. */
export const optOutKind: ActionKind = {
  scope: "review",
  outlook: async (actions) => {
    const found = await outlooks(actions, (action) => {
      const { blocked, released } = beforeOf(action);
      return [
        { action_id: action.id, role: "listed", list: "user", ids: blocked },
        { action_id: action.id, role: "released", list: "opt_out", ids: released },
      ];
    });
    const closed = await stillClosed(actions.map((action) => beforeOf(action).closing));
    for (const action of actions) {
      const outlook = found.get(action.id);
      const { closing, deleted } = beforeOf(action);
      if (outlook !== undefined && closed.has(closing)) {
        outlook.restorable++;
        limit(outlook, "final", deleted);
      } else found.set(action.id, { restorable: 0, limits: { changed_again: action.changed } });
    }
    return found;
  },
  undo: async (tx, principal, action) => {
    const { closing, blocked, released, deleted } = beforeOf(action);
    const opened = await reopenOptOut(tx, principal, closing);
    if (opened === null) return { restored: 0, limits: { changed_again: action.changed } };
    const { removed, changes } =
      blocked.length === 0
        ? { removed: [], changes: [] }
        : await takeOutEntries(tx, principal, "user", blocked, []);
    // The report holds the posts before the block is removed.
    const ids = await noteListChange(tx, [...opened, ...changes]);
    const outcome: Restored = { restored: 1 + removed.length, limits: {} };
    limit(outcome, "changed_again", blocked.length - removed.length);
    limit(outcome, "final", deleted);
    await judgeEntries(tx, outcome, released, () => true);
    return { ...outcome, after: () => applyInRequest(ids) };
  },
};
