import { authorise } from "#lib/accounts/authenticate.ts";
import { db, type Tx } from "#lib/base/db.ts";
import { ApiError } from "#lib/base/errors.ts";
import type { Actor, Principal, servicePrincipal } from "#lib/base/http/principal.ts";
import { BULK_TIMEOUT_MS } from "#lib/base/transaction.ts";
import { changeHolds } from "#lib/queue/hold-changes.ts";
import { switches } from "#lib/queue/switches.ts";
import { decide } from "#lib/review/decide.ts";
import type { AutoRejectReason } from "#lib/review/post-row.ts";
import { SPAM_REASON } from "#lib/review/reject-reason-schema.ts";
import { countTime, unchangedSince } from "#lib/review/unchanged-since.ts";
import {
  addEntries,
  addEntry,
  entryOf,
  nameOf,
  removeEntry,
  showEntries,
  texts,
  unlisted,
} from "./block-lists.ts";
import { reachOf, rejectedWhenSet } from "./find-blocks.ts";
import { readUserList, type ReadList } from "./read-lists.ts";
import type {
  AddedBlock,
  BlockCreate,
  BlockKind,
  BlockListImport,
  BlockReach,
  SwitchName,
  UserImportResult,
} from "./schema.ts";
import { shownPattern, type Entry } from "./user-patterns.ts";

/* Changes of the block lists with their posts: a block acts at once on everything stored, and its removal takes that back. */

/** A caller of the API who sets a block, or the service itself. */
type Blocker = Principal | typeof servicePrincipal;

/**
 * Checks the right to block: reviewers may block single accounts. Every other entry concerns more than the author of a post
 * that they review, and needs `manage`.
 *
 * @throws scope_missing, role_forbidden
 */
export function requireBlockRight(principal: Principal, entry: object): void {
  const isSingle = "pattern_type" in entry && entry.pattern_type === "exact";
  authorise(principal, isSingle ? "review" : "manage");
}

const switchOf: Record<BlockKind, SwitchName> = {
  user: "auto_reject_blocked_users",
  hashtag: "auto_reject_blocked_hashtags",
};

/**
 * Counts the posts that a block would hold and reject, without changing anything.
 *
 * @throws validation, pattern_exists, hashtag_blocked_already
 */
export async function countBlock(kind: BlockKind, body: BlockCreate): Promise<BlockReach> {
  const fresh = await unlisted(db, kind, [entryOf(body)]);
  if (fresh.length === 0) throw new ApiError(texts[kind].exists);
  return countEntries(kind, fresh);
}

async function countEntries(kind: BlockKind, entries: Entry[]): Promise<BlockReach> {
  const as_of = await countTime();
  const { held, waiting } = await reachOf(db, kind, entries);
  const rejected = (await rejectsWaiting(db, kind)) ? waiting.length : 0;
  return { held: held.length, rejected, as_of };
}

/**
 * Adds a block and holds approved posts that match. When rejection on fetch is on, rejects matching posts that wait for
 * review.
 *
 * @param asOf time of a count: waiting posts that came or changed later are not rejected
 * @throws validation, pattern_exists, hashtag_blocked_already
 */
export async function addBlock(
  kind: BlockKind,
  by: Blocker,
  body: BlockCreate,
  asOf?: Date,
): Promise<AddedBlock> {
  const entry = entryOf(body);
  const { row, ...reached } = await changeHolds(async (tx) => {
    const { held, waiting } = await reachOf(tx, kind, [entry]);
    const { row, changes } = await addEntry(tx, by, kind, entry);
    const rejected = await reject(tx, by, kind, waiting, { pattern: nameOf(entry), asOf });
    return { result: { row, held: held.length, rejected }, changes };
  }, BULK_TIMEOUT_MS);
  const [added] = await showEntries(kind, [row]);
  return { ...added, ...reached } as AddedBlock;
}

/** Counts what `importBlocks` would do, without changing anything. */
export async function countImport(text: string): Promise<UserImportResult> {
  const read = readUserList(text);
  const fresh = await unlisted(db, "user", read.entries);
  return importResult(read, fresh, { ...(await countEntries("user", fresh)), dry_run: true });
}

/** Adds the entries of a list, in one transaction with one line in the audit log. See addBlock for `asOf`. */
export async function importBlocks(
  by: Blocker,
  { text }: BlockListImport,
  asOf?: Date,
): Promise<UserImportResult> {
  const read = readUserList(text);
  const { rows, ...reached } = await changeHolds(async (tx) => {
    const { held, waiting } = await reachOf(tx, "user", await unlisted(tx, "user", read.entries));
    const { rows, changes } = await addEntries(tx, by, "user", read.entries);
    const rejected = await reject(tx, by, "user", waiting, { asOf });
    return { result: { rows, held: held.length, rejected }, changes };
  }, BULK_TIMEOUT_MS);
  return importResult(read, rows, { ...reached, dry_run: false });
}

function importResult(
  { entries, ...read }: ReadList,
  added: readonly Entry[],
  reach: Pick<UserImportResult, "held" | "rejected" | "dry_run" | "as_of">,
): UserImportResult {
  return {
    ...reach,
    ...read,
    added: added.length,
    existing: entries.length - added.length,
    entries: added.map((entry) => ({ ...shownPattern(entry), notes: entry.notes })),
  };
}

/**
 * Removes a block. Releases the posts that it held and returns to review those that were rejected when it was set, unless
 * another filter matches. Posts that were rejected at their fetch stay rejected.
 *
 * @throws blocked_user_not_found, blocked_hashtag_not_found
 */
export async function removeBlock(kind: BlockKind, by: Blocker, id: number): Promise<void> {
  await changeHolds(async (tx) => {
    const { row, changes } = await removeEntry(tx, by, kind, id);
    await returnRejected(tx, by, await rejectedWhenSet(tx, kind, row), `No longer blocked: ${nameOf(row)}`);
    return { result: undefined, changes };
  }, BULK_TIMEOUT_MS);
}

async function reject(
  tx: Tx,
  by: Blocker,
  kind: BlockKind,
  ids: number[],
  options: Pick<Rejection, "pattern" | "asOf">,
): Promise<number> {
  if (!(await rejectsWaiting(tx, kind))) return 0;
  return rejectAsFilter(tx, by, ids, {
    ...options,
    reason: `blocked_${kind}`,
    set: "block",
    reject_reason: SPAM_REASON,
  });
}

async function rejectsWaiting(tx: Tx, kind: BlockKind): Promise<boolean> {
  return (await switches.read(tx))[switchOf[kind]];
}

interface Rejection {
  reason: AutoRejectReason;
  /** The block or the switch that rejects: stored for `rejectedWhenSet`. A rejection at a fetch stores none. */
  set: "block" | SwitchName;
  /** The entry, for the history. */
  pattern?: string;
  reject_reason?: number | null;
  asOf: Date | undefined;
}

/**
 * Rejects unreviewed posts as a filter does, so that the learner does not learn from it.
 *
 * @returns number of rejected posts
 */
export async function rejectAsFilter(
  tx: Tx,
  by: Actor,
  ids: number[],
  { reason, set, pattern, reject_reason = null, asOf }: Rejection,
): Promise<number> {
  const { changed } = await decide(tx, by, await unchangedSince(tx, ids, asOf), false, {
    note: pattern === undefined ? reason : `${reason}: ${pattern}`,
    source: "filter",
    action: "auto_reject",
    details: { reason, set, ...(pattern === undefined ? {} : { pattern }) },
    auto_reject_reason: reason,
    reject_reason,
    only: (_post, state) => state === "unreviewed",
  });
  return changed.length;
}

/** Returns posts that a filter has rejected to review. @returns their number */
export async function returnRejected(tx: Tx, by: Actor, ids: number[], note: string): Promise<number> {
  const { changed } = await decide(tx, by, ids, null, {
    note,
    auto_reject_reason: null,
    only: ({ auto_reject_reason }, state) => state === "rejected" && auto_reject_reason !== null,
  });
  return changed.length;
}
