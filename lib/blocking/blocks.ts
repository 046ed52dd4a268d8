import { authorise } from "#lib/accounts/authenticate.ts";
import { db, type Tx } from "#lib/base/db.ts";
import { ApiError } from "#lib/base/errors.ts";
import type { Principal, servicePrincipal } from "#lib/base/http/principal.ts";
import { changeHolds } from "#lib/queue/hold-changes.ts";
import { switches } from "#lib/queue/switches.ts";
import { SPAM_REASON } from "#lib/review/reject-reason-schema.ts";
import { requireRejectReasons } from "#lib/review/reject-reasons.ts";
import { countTime } from "#lib/review/unchanged-since.ts";
import { addEntries, addEntry, removeEntry } from "./block-entries.ts";
import { listOf } from "./block-kinds.ts";
import type { HashtagEntry, Stored, UserPattern } from "./block-rows.ts";
import { importResult, showEntry } from "./block-lists.ts";
import type {
  AddedBlock,
  BlockCreate,
  BlockKind,
  BlockListImport,
  BlockReach,
  SwitchName,
  UserImportResult,
} from "./schema.ts";
import { readUserList } from "./read-lists.ts";
import { streamsOfHashtags } from "./blocking-sql.ts";
import { rejectAsFilter, returnRejected } from "./reject-waiting.ts";

/* Changes of the block lists with their posts: a block acts at once on everything stored, and its removal takes that back. */

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

/** Thousands of posts are rejected in one transaction. */
export const TIMEOUT_MS = 120_000;

const users = listOf("user");

const switchOf: Record<BlockKind, SwitchName> = {
  user: "auto_reject_blocked_users",
  hashtag: "auto_reject_blocked_hashtags",
};

/**
 * Posts that the block would reach; nothing is changed.
 *
 * @throws ApiError 422; `pattern_exists`, `hashtag_blocked_already`
 */
export async function countBlock<K extends BlockKind>(kind: K, body: BlockCreate<K>): Promise<BlockReach> {
  const list = listOf(kind);
  const entry = list.normalise(body);
  if ((await list.listed([entry])).length > 0) throw new ApiError(list.exists);
  return countEntries(kind, [entry]);
}

async function countEntries<K extends BlockKind>(kind: K, entries: Stored[K][]): Promise<BlockReach> {
  const as_of = await countTime();
  const [{ held, waiting }, rejects, own_streams] = await Promise.all([
    listOf(kind).reach(db, entries),
    rejectsWaiting(db, kind),
    ownStreams(kind, entries),
  ]);
  return { held: held.length, rejected: rejects ? waiting.length : 0, own_streams, as_of };
}

/**
 * Holds approved posts that match. Rejects those that wait for review when rejection on fetch is on.
 *
 * @param asOf time of a count: waiting posts that came or changed since are not rejected
 * @throws ApiError 422; `pattern_exists`, `hashtag_blocked_already`
 */
export async function addBlock<K extends BlockKind>(
  kind: K,
  by: Blocker,
  body: BlockCreate<K>,
  asOf?: Date,
): Promise<AddedBlock<K>> {
  const list = listOf(kind);
  const entry = list.normalise(body);
  const { reject_reason = SPAM_REASON } = body;
  await requireRejectReasons([body]);
  const { row, held, rejected } = await changeHolds(async (tx) => {
    const { held, waiting } = await list.reach(tx, [entry]);
    const { row, changes } = await addEntry(tx, by, kind, entry);
    const rejected = await reject(tx, by, kind, waiting, {
      pattern: list.show(entry),
      reject_reason,
      asOf,
    });
    return { result: { row, held: held.length, rejected }, changes };
  }, TIMEOUT_MS);
  return { ...(await showEntry(kind, row)), held, rejected };
}

/** Counts the entries that `importBlocks` would add; nothing is changed. */
export async function countImport(text: string): Promise<UserImportResult> {
  const read = readUserList(text);
  const fresh = await unlisted(read.entries);
  const { held, rejected, as_of } = await countEntries("user", fresh);
  return importResult(read, fresh, { held, rejected, as_of, dry_run: true });
}

/** One transaction and one audit line. */
export async function importBlocks(
  by: Blocker,
  { text }: BlockListImport,
  asOf?: Date,
): Promise<UserImportResult> {
  const read = readUserList(text);
  const { rows, held, rejected } = await changeHolds(async (tx) => {
    const { held, waiting } = await users.reach(tx, await unlisted(read.entries));
    const { rows, changes } = await addEntries(tx, by, "user", read.entries);
    const rejected = await reject(tx, by, "user", waiting, { reject_reason: SPAM_REASON, asOf });
    return { result: { rows, held: held.length, rejected }, changes };
  }, TIMEOUT_MS);
  return importResult(read, rows, { held, rejected, dry_run: false });
}

async function unlisted(entries: UserPattern[]): Promise<UserPattern[]> {
  const listed = new Set((await users.listed(entries)).map(users.keyOf));
  return entries.filter((entry) => !listed.has(users.keyOf(entry)));
}

/**
 * Releases what it held, and returns to review what was rejected when it was set, unless another filter matches. Posts that
 * were rejected at their fetch stay so.
 *
 * @throws ApiError `blocked_user_not_found`, `blocked_hashtag_not_found`
 */
export async function removeBlock(kind: BlockKind, by: Blocker, id: number): Promise<void> {
  const list = listOf(kind);
  await changeHolds(async (tx) => {
    const { row, changes } = await removeEntry(tx, by, kind, id);
    await returnRejected(tx, by, await list.rejectedWhenSet(tx, row), `No longer blocked: ${list.show(row)}`);
    return { result: undefined, changes };
  }, TIMEOUT_MS);
}

async function reject(
  tx: Tx,
  by: Blocker,
  kind: BlockKind,
  ids: number[],
  options: { pattern?: string; reject_reason: number | null; asOf: Date | undefined },
): Promise<number> {
  if (!(await rejectsWaiting(tx, kind))) return 0;
  return rejectAsFilter(tx, by, ids, { ...options, reason: `blocked_${kind}`, set: "block" });
}

async function rejectsWaiting(tx: Tx, kind: BlockKind): Promise<boolean> {
  return (await switches.read(tx))[switchOf[kind]];
}

/** "#birds on mastodon.example": streams that read a blocked hashtag. */
async function ownStreams<K extends BlockKind>(kind: K, entries: Stored[K][]): Promise<string[]> {
  if (kind !== "hashtag" || entries.length === 0) return [];
  const own = await streamsOfHashtags(entries.map((entry) => (entry as HashtagEntry).hashtag_folded));
  return own.map(({ hashtag, instance }) => `#${hashtag} on ${instance}`);
}
