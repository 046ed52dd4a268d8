import type { ActionKind, Outlook, StoredAction } from "#lib/actions/action-kind.ts";
import { recordAction } from "#lib/actions/record-action.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import type { Principal } from "#lib/auth/principal.ts";
import { toIso } from "#lib/clock.ts";
import { db, type Tx } from "#lib/db.ts";
import { ApiError, validationError } from "#lib/errors.ts";
import { normaliseHashtag } from "#lib/fediverse/hashtag.ts";
import { listOf } from "#lib/filters/block-kinds.ts";
import type { HashtagEntry, Stored } from "#lib/filters/block-rows.ts";
import { writtenDomain, type BlockKind } from "#lib/filters/schema.ts";
import { inTransaction } from "#lib/transaction.ts";
import {
  acceptRows,
  deleteOpenRow,
  insertSuggestion,
  lockPost,
  reopenableRows,
  reopenRows,
  type NewSuggestion,
  type SuggestionRow,
} from "./suggestion-sql.ts";
import type { BlockSuggestion, BlockSuggestionCreate, BlockSuggestionList } from "./suggestion-schema.ts";

const LISTED = 100;

/**
 * For members who may review and not block.
 *
 * @throws ApiError 422; `suggestion_exists`; `pattern_exists`, `hashtag_blocked_already`; `post_not_found`, `post_erased`
 */
export async function suggestBlock(
  principal: Principal,
  body: BlockSuggestionCreate,
): Promise<BlockSuggestion> {
  const entry = await entryOf(body);
  const row = await inTransaction(async (tx) => {
    if (body.post_id !== undefined) await requirePost(tx, body.post_id);
    const inserted = await insertSuggestion(tx, {
      ...entry,
      kind: body.kind,
      reason: body.reason,
      post_id: body.post_id ?? null,
      suggested_by: principal.label,
      member_id: principal.member_id,
    });
    if (inserted === null) throw new ApiError("suggestion_exists");
    await recordAudit(tx, principal, { action: "block.suggest", subject: entry.name });
    const [details, before] = [{ list: body.kind, name: entry.name }, { id: inserted.id }];
    await recordAction(tx, principal, { kind: "suggested_block", changed: 1, details, before });
    return inserted;
  });
  return serialize(row);
}

/** The reason may quote the post, and is deleted with it. */
async function requirePost(tx: Tx, id: number): Promise<void> {
  const post = await lockPost(tx, id);
  if (post === null) throw new ApiError("post_not_found");
  if (post.erased) throw new ApiError("post_erased");
}

async function entryOf({
  kind,
  name,
}: BlockSuggestionCreate): Promise<Pick<NewSuggestion, "target" | "name">> {
  if (kind === "user") {
    const list = listOf("user");
    const domain = writtenDomain(name);
    const entry = list.normalise(
      domain === null
        ? { account_identifier: name, pattern_type: "exact" }
        : { account_identifier: domain, pattern_type: "suffix", subdomains: true },
    );
    if ((await list.listed([entry])).length > 0) throw new ApiError(list.exists);
    const target = entry.account_identifier;
    return { target, name: domain === null ? list.show(entry) : target };
  }
  const hashtag = normaliseHashtag(name);
  if (hashtag === null) throw validationError([{ path: "name", message: "is not a hashtag" }]);
  const list = listOf("hashtag");
  const entry = list.normalise({ hashtag });
  if ((await list.listed([entry])).length > 0) throw new ApiError(list.exists);
  return { target: entry.hashtag_folded, name: list.show(entry) };
}

/** Open ones, oldest first. */
export async function listSuggestions(): Promise<BlockSuggestionList> {
  const where = { resolved_at: null };
  const [rows, total] = await Promise.all([
    db.block_suggestion.findMany({ where, orderBy: [{ created_at: "asc" }, { id: "asc" }], take: LISTED }),
    db.block_suggestion.count({ where }),
  ]);
  return { items: rows.map((row) => serialize(row as SuggestionRow)), total };
}

/** @throws ApiError `suggestion_not_found` when it is not open */
export async function dismissSuggestion(principal: Principal, id: number): Promise<void> {
  await inTransaction(async (tx) => {
    const row = await tx.block_suggestion.findUnique({ where: { id } });
    const { count } = await tx.block_suggestion.updateMany({
      where: { id, resolved_at: null },
      data: { resolved_at: new Date(), resolution: "dismissed" },
    });
    if (row === null || count === 0) throw new ApiError("suggestion_not_found");
    await recordAudit(tx, principal, { action: "block.suggestion_dismissed", subject: row.name });
    const details = { list: row.kind, name: row.name };
    await recordAction(tx, principal, { kind: "suggestion", changed: 1, details, before: { id } });
  });
}

/**
 * A block by name accepts open suggestions of the same target.
 *
 * @returns their ids, for the undo
 */
export async function acceptSuggestions<K extends BlockKind>(
  tx: Tx,
  kind: K,
  entries: readonly Stored[K][],
): Promise<number[]> {
  const targets = entries.flatMap((entry) => {
    if (kind === "hashtag") return (entry as HashtagEntry).hashtag_folded;
    const { pattern_type, account_identifier } = entry as Stored["user"];
    return pattern_type === "exact" || pattern_type === "domain" ? account_identifier : [];
  });
  return targets.length === 0 ? [] : acceptRows(tx, kind, targets);
}

/** After the undo of a block; not where another suggestion of the target is open meanwhile. */
export async function reopenSuggestions(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await reopenRows(tx, [...ids]);
}

const idOf = ({ before }: StoredAction) => (before as { id: number }).id;

const outlookOf = (canRestore: boolean): Outlook =>
  canRestore ? { restorable: 1, limits: {} } : { restorable: 0, limits: { changed_again: 1 } };

/** Opens a dismissed suggestion again, unless another one of the target is open. */
export const suggestionKind: ActionKind = {
  scope: "manage",
  outlook: async (actions) => {
    const dismissed = new Set(await reopenableRows(db, actions.map(idOf)));
    return new Map(actions.map((action) => [action.id, outlookOf(dismissed.has(idOf(action)))]));
  },
  undo: async (tx, principal, action) => {
    const ids = await reopenRows(tx, await reopenableRows(tx, [idOf(action)]));
    const { restorable, limits } = outlookOf(ids.length > 0);
    if (restorable > 0) {
      const subject = String(action.details["name"]);
      await recordAudit(tx, principal, { action: "block.suggestion_reopened", subject });
    }
    return { restored: restorable, limits };
  },
};

/** Withdraws a suggestion while it is open. */
export const suggestedBlockKind: ActionKind = {
  scope: "review",
  outlook: async (actions) => {
    const where = { id: { in: actions.map(idOf) }, resolved_at: null };
    const open = new Set((await db.block_suggestion.findMany({ where })).map(({ id }) => id));
    return new Map(actions.map((action) => [action.id, outlookOf(open.has(idOf(action)))]));
  },
  undo: async (tx, principal, action) => {
    const { restorable, limits } = outlookOf(await deleteOpenRow(tx, idOf(action)));
    if (restorable > 0) {
      const subject = String(action.details["name"]);
      await recordAudit(tx, principal, { action: "block.suggestion_withdrawn", subject });
    }
    return { restored: restorable, limits };
  },
};

function serialize(row: SuggestionRow): BlockSuggestion {
  const { id, kind, name, reason, post_id, suggested_by, created_at } = row;
  return { id, kind, name, reason, post_id, suggested_by, created_at: toIso(created_at) };
}
