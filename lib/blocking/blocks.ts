import { takeCounted } from "#lib/actions/previews.ts";
import { recordAction } from "#lib/actions/record-action.ts";
import type { ActionKindName } from "#lib/actions/schema.ts";
import { authorise } from "#lib/auth/authenticate.ts";
import type { Principal, servicePrincipal } from "#lib/auth/principal.ts";
import type { Prisma, Tx } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { changeBlockLists } from "#lib/filters/block-changes.ts";
import { addEntries, addEntry, removeEntry } from "#lib/filters/block-entries.ts";
import { listOf } from "#lib/filters/block-kinds.ts";
import type { Row, Stored } from "#lib/filters/block-rows.ts";
import { importResult, showEntry } from "#lib/filters/block-lists.ts";
import type {
  BlockCreate,
  BlockEntry,
  BlockKind,
  BlockListImport,
  ImportResult,
} from "#lib/filters/schema.ts";
import { decidePosts } from "#lib/review/decide-posts.ts";
import { inTransaction } from "#lib/transaction.ts";
import type { AutoRejectReason } from "#lib/posts/post-row.ts";
import {
  blockName,
  findRejectable,
  importName,
  ownSentence,
  ownStreams,
  rejectedOf,
  REJECTION,
  releaseOf,
  removalName,
  type CountedBlock,
  type CountedImport,
  type CountedRejection,
  type CountedRemoval,
} from "./block-previews.ts";

/*
 * Changes of the block lists with their posts. With the token of a preview, exactly the counted posts change; without one, as
 * old clients call it, a block holds matching posts and rejects nothing. Each is one action with an undo (block-undo.ts).
 */

/** The author of a block: a caller of the API, or the service itself. */
export type Blocker = Principal | typeof servicePrincipal;

/**
 * Reviewers block single accounts; everything else reaches further than the post before them.
 *
 * @throws ApiError `scope_missing`, `role_forbidden`
 */
export function requireBlockRight(principal: Principal, entry: object): void {
  const isSingle = "pattern_type" in entry && entry.pattern_type === "exact";
  authorise(principal, isSingle ? "review" : "manage");
}

/** Ten thousand posts are rejected in one transaction. */
export const TIMEOUT_MS = 120_000;

export interface Rejected {
  list: BlockKind;
  ids: number[];
  reviewed_at: string | null;
}

/** `before` of a block or an import. */
export interface BlockBefore {
  list: BlockKind;
  entries: number[];
  /** Rows of this list. */
  replaced: readonly object[];
  held: number[];
  rejected: Rejected[];
}

/**
 * @throws ApiError 422; `pattern_exists`, `hashtag_blocked_already`, `confirmation_needed`, `reach_grown`, `action_done`,
 *   `preview_not_valid`
 */
export async function addBlock<K extends BlockKind>(
  kind: K,
  by: Blocker,
  body: BlockCreate<K>,
): Promise<BlockEntry<K>> {
  const list = listOf(kind);
  const entry = list.normalise(body);
  const { preview, confirm } = body;
  if (preview === undefined) {
    if (body.reject_waiting === true || body.post_id !== undefined) throw new ApiError("preview_not_valid");
    if (isScreen(by) && confirm !== true) await refuseOwnHashtags(kind, [entry]);
  }
  const row = await changeBlockLists(
    by,
    async (tx) => {
      const counted = await take<CountedBlock>(tx, by, preview, blockName(kind), entry);
      if (counted?.confirm === true && confirm !== true) await refuseOwnHashtags(kind, [entry]);
      const held = await heldNow(tx, kind, [entry], counted);
      const { row, replaced, changes } = await addEntry(tx, by, kind, entry);
      const rejected = await reject(tx, by, kind, rejectedOf(body, counted?.waiting ?? []));
      return {
        result: row,
        changes,
        settle: () =>
          record(tx, by, preview, "block", {
            name: list.show(entry),
            before: { list: kind, entries: [row.id], replaced, held, rejected },
          }),
      };
    },
    TIMEOUT_MS,
  );
  return showEntry(kind, row);
}

/** One transaction and one audit line. */
export async function importBlocks<K extends BlockKind>(
  kind: K,
  by: Blocker,
  { text, preview, confirm }: BlockListImport,
): Promise<ImportResult<K>> {
  const list = listOf(kind);
  const read = list.readList(text);
  if (preview === undefined && isScreen(by) && confirm !== true) await refuseOwnHashtags(kind, read.entries);
  const added = await changeBlockLists(
    by,
    async (tx) => {
      const counted = await take<CountedImport>(tx, by, preview, importName(kind), { text });
      if (counted?.confirm === true && confirm !== true) await refuseOwnHashtags(kind, read.entries);
      const listed = new Set((await list.listed(read.entries)).map(list.keyOf));
      const fresh = read.entries.filter((entry) => !listed.has(list.keyOf(entry)));
      const held = await heldNow(tx, kind, fresh, counted);
      const { rows, replaced, changes } = await addEntries(tx, by, kind, read.entries);
      const entries = rows.map((row) => row.id);
      return {
        result: rows,
        changes,
        settle: () =>
          record(tx, by, preview, "block_import", {
            before: { list: kind, entries, replaced, held, rejected: [] },
          }),
      };
    },
    TIMEOUT_MS,
  );
  return importResult(kind, read, added, false);
}

/** `before` of a removal. */
export interface RemovalBefore {
  list: BlockKind;
  row: Row<BlockKind>;
  released: number[];
}

/**
 * @throws ApiError `blocked_user_not_found`, `blocked_hashtag_not_found`, `reach_grown`, `action_done`, `preview_not_valid`
 */
export async function removeBlock(kind: BlockKind, by: Blocker, id: number, preview?: string): Promise<void> {
  const list = listOf(kind);
  await changeBlockLists(by, async (tx) => {
    const counted = await take<CountedRemoval>(tx, by, preview, removalName(kind), { id });
    const before = await list.table(tx).findUnique({ where: { id } });
    const released = before === null ? [] : (await releaseOf(tx, kind, before)).released;
    refuseGrown(released, counted?.released);
    const { row, changes } = await removeEntry(tx, by, kind, id);
    return {
      result: undefined,
      changes,
      settle: () =>
        recordAction(tx, by, {
          id: preview,
          kind: "unblock",
          changed: 1 + released.length,
          details: { list: kind, name: list.show(row), released: released.length },
          before: { list: kind, row, released } as unknown as Prisma.InputJsonObject,
        }),
    };
  });
}

/** `before` of `rejectBlocked`. */
export interface RejectionBefore {
  rejected: Rejected[];
}

/**
 * Rejects unreviewed posts that a list matches, also when rejection on fetch is off. Without a token: all of them, in several
 * actions when there are very many.
 *
 * @returns number of rejected posts
 */
export async function rejectBlocked(by: Blocker, preview?: string): Promise<number> {
  if (preview !== undefined) return rejectCounted(by, preview, null);
  let rejected = 0;
  for (;;) {
    const { found, all } = await findRejectable();
    const now = await rejectCounted(by, undefined, found);
    rejected += now;
    if (now === 0 || all === found.user.length + found.hashtag.length) return rejected;
  }
}

function rejectCounted(
  by: Blocker,
  preview: string | undefined,
  found: CountedRejection | null,
): Promise<number> {
  return inTransaction(async (tx) => {
    const counted = found ?? (await take<CountedRejection>(tx, by, preview, REJECTION, {}));
    const rejected = [
      ...(await reject(tx, by, "user", counted?.user ?? [])),
      ...(await reject(tx, by, "hashtag", counted?.hashtag ?? [])),
    ];
    const changed = rejected.reduce((sum, { ids }) => sum + ids.length, 0);
    await recordAction(tx, by, {
      id: preview,
      kind: "reject_blocked",
      changed,
      details: { rejected: changed },
      before: { rejected } as unknown as Prisma.InputJsonObject,
    });
    return changed;
  }, TIMEOUT_MS);
}

/** Rejects posts as a rule does, so that the checks do not learn from it. */
async function reject(tx: Tx, by: Blocker, list: BlockKind, ids: number[]): Promise<Rejected[]> {
  if (ids.length === 0) return [];
  const reason: AutoRejectReason = `blocked_${list}`;
  const { changed, reviewed_at } = await decidePosts(tx, by, ids, false, {
    note: reason,
    source: "filter",
    action: "auto_reject",
    auto_reject_reason: reason,
    only: (_post, state) => state === "unreviewed",
  });
  if (changed.length === 0) return [];
  return [{ list, ids: changed.map((post) => post.id), reviewed_at: reviewed_at?.toISOString() ?? null }];
}

async function take<T>(
  tx: Tx,
  by: Blocker,
  preview: string | undefined,
  name: string,
  args: unknown,
): Promise<T | null> {
  if (preview === undefined || by.source === "service") return null;
  return takeCounted<T>(tx, by, preview, name, args);
}

/** Posts that the entries hold from now on; never more than were counted. */
async function heldNow<K extends BlockKind>(
  tx: Tx,
  kind: K,
  entries: Stored[K][],
  counted: { held: number[] } | null,
): Promise<number[]> {
  const { held } = await listOf(kind).reach(tx, entries);
  refuseGrown(held, counted?.held);
  return held;
}

export function refuseGrown(now: readonly number[], counted: readonly number[] | undefined): void {
  if (counted === undefined) return;
  const known = new Set(counted);
  if (now.some((id) => !known.has(id))) throw new ApiError("reach_grown");
}

function isScreen(by: Blocker): boolean {
  return by.source === "screen";
}

/** Blocking the hashtag of an own stream needs a confirmation. @throws `confirmation_needed` */
async function refuseOwnHashtags<K extends BlockKind>(kind: K, entries: Stored[K][]): Promise<void> {
  const own = await ownStreams(kind, entries);
  if (own.length > 0) throw new ApiError("confirmation_needed", { message: ownSentence(own) });
}

async function record(
  tx: Tx,
  by: Blocker,
  preview: string | undefined,
  kind: ActionKindName,
  { name, before }: { name?: string; before: BlockBefore },
): Promise<void> {
  const { list, entries, held, rejected } = before;
  const rejectedCount = rejected.reduce((sum, { ids }) => sum + ids.length, 0);
  await recordAction(tx, by, {
    id: preview,
    kind,
    changed: entries.length + held.length + rejectedCount,
    details: {
      list,
      ...(name === undefined ? {} : { name }),
      entries: entries.length,
      held: held.length,
      rejected: rejectedCount,
    },
    before: before as unknown as Prisma.InputJsonObject,
  });
}
