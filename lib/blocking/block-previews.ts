import { createPreview } from "#lib/actions/previews.ts";
import type { ActionPreview } from "#lib/actions/schema.ts";
import type { Principal } from "#lib/auth/principal.ts";
import { db, type Tx } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { listOf, type Reach } from "#lib/filters/block-kinds.ts";
import type { HashtagEntry, Row, Stored } from "#lib/filters/block-rows.ts";
import { readNewEntries } from "#lib/filters/block-lists.ts";
import { findUnreviewedBlocked } from "#lib/filters/find-blocks.ts";
import type {
  BlockCreate,
  BlockKind,
  BlockListImport,
  BlockRemoval,
  RejectBlocked,
} from "#lib/filters/schema.ts";
import {
  countPending,
  releaseOfHashtag,
  releaseOfUser,
  streamsOfHashtags,
  type OwnStreamRow,
  type ReleaseRow,
} from "./blocking-sql.ts";

/* Figures of a block before it is done. The data of a token are the ids that were counted. */

/** Most posts that one action rejects. */
export const MAX_REJECTED = 10_000;

export interface CountedBlock {
  held: number[];
  waiting: number[];
  /** The use needs `confirm`. */
  confirm: boolean;
}
export type CountedImport = Omit<CountedBlock, "waiting">;
export interface CountedRemoval {
  released: number[];
}
export type CountedRejection = Record<BlockKind, number[]>;

export const blockName = (kind: BlockKind) => `block_${kind}`;
export const removalName = (kind: BlockKind) => `unblock_${kind}`;
export const importName = (kind: BlockKind) => `import_${kind}s`;
export const REJECTION = "reject_blocked";

/**
 * @throws ApiError 422; `pattern_exists`, `hashtag_blocked_already`
 */
export async function previewBlock<K extends BlockKind>(
  kind: K,
  principal: Principal,
  body: BlockCreate<K>,
): Promise<ActionPreview> {
  const list = listOf(kind);
  const entry = list.normalise(body);
  if ((await list.listed([entry])).length > 0) throw new ApiError(list.exists);
  const [reach, own] = await Promise.all([list.reach(db, [entry]), ownStreams(kind, [entry])]);
  const waiting = reach.waiting.slice(0, MAX_REJECTED);
  const rejected = rejectedOf(body, waiting);
  const data: CountedBlock = { held: reach.held, waiting, confirm: own.length > 0 };
  return createPreview(principal, blockName(kind), entry, data, {
    changes: 1 + reach.held.length + rejected.length,
    counts: { ...(await countsOf(reach)), waiting: waiting.length, entries: 1 },
    warnings: [...ownWarning(own), ...reservedWarning(reach), ...limitWarning(reach.waiting.length)],
  });
}

/** Unreviewed posts that a use of the counted ones rejects. */
export function rejectedOf(
  { reject_waiting, post_id }: { reject_waiting?: boolean | undefined; post_id?: number | undefined },
  waiting: readonly number[],
): number[] {
  if (reject_waiting === true) return [...waiting];
  return waiting.filter((id) => id === post_id);
}

/** Counts the new entries of an import and the posts that they would hold. The token makes the import hold no more. */
export async function previewImportReach<K extends BlockKind>(
  kind: K,
  principal: Principal,
  { text }: BlockListImport,
): Promise<ActionPreview> {
  const { fresh } = await readNewEntries(kind, text);
  const [reach, own] = await Promise.all([listOf(kind).reach(db, fresh), ownStreams(kind, fresh)]);
  const data: CountedImport = { held: reach.held, confirm: own.length > 0 };
  return createPreview(principal, importName(kind), { text }, data, {
    changes: fresh.length + reach.held.length,
    counts: { ...(await countsOf(reach)), waiting: reach.waiting.length, entries: fresh.length },
    warnings: [...ownWarning(own), ...reservedWarning(reach)],
  });
}

/**
 * @throws ApiError `blocked_user_not_found`, `blocked_hashtag_not_found`
 */
export async function previewRemoval(
  kind: BlockKind,
  principal: Principal,
  { id }: BlockRemoval,
): Promise<ActionPreview> {
  const list = listOf(kind);
  const row = await list.table(db).findUnique({ where: { id } });
  if (row === null) throw new ApiError(list.notFound);
  const { released, still } = await releaseOf(db, kind, row);
  const data: CountedRemoval = { released };
  return createPreview(principal, removalName(kind), { id }, data, {
    changes: 1 + released.length,
    counts: { entries: 1, released: released.length, still_held: still },
    warnings: [],
  });
}

export function releaseOf<K extends BlockKind>(tx: Tx, kind: K, row: Row<K>): Promise<ReleaseRow> {
  return kind === "user"
    ? releaseOfUser(tx, row as Row<"user">)
    : releaseOfHashtag(tx, row as Row<"hashtag">);
}

export async function previewRejection(principal: Principal, _body: RejectBlocked): Promise<ActionPreview> {
  const { found, all } = await findRejectable();
  const changes = found.user.length + found.hashtag.length;
  return createPreview(principal, REJECTION, {}, found, {
    changes,
    counts: { user: found.user.length, hashtag: found.hashtag.length },
    warnings: limitWarning(all),
  });
}

/** Unreviewed posts that a list blocks now, each for one reason; at most `MAX_REJECTED`. */
export async function findRejectable(): Promise<{ found: CountedRejection; all: number }> {
  const user = await findUnreviewedBlocked.user();
  const known = new Set(user);
  const hashtag = (await findUnreviewedBlocked.hashtag()).filter((id) => !known.has(id));
  const first = user.slice(0, MAX_REJECTED);
  const found = { user: first, hashtag: hashtag.slice(0, MAX_REJECTED - first.length) };
  return { found, all: user.length + hashtag.length };
}

async function countsOf(reach: Reach): Promise<Record<string, number>> {
  return { held: reach.held.length, reserved: reach.reserved, pending: await countPending() };
}

export async function ownStreams<K extends BlockKind>(
  kind: K,
  entries: Stored[K][],
): Promise<OwnStreamRow[]> {
  if (kind !== "hashtag" || entries.length === 0) return [];
  return streamsOfHashtags(entries.map((entry) => (entry as HashtagEntry).hashtag_folded));
}

type Warnings = ActionPreview["warnings"];

function ownWarning(own: readonly OwnStreamRow[]): Warnings {
  if (own.length === 0) return [];
  return [{ code: "own_hashtag", count: own.length, detail: ownSentence(own) }];
}

export function ownSentence(own: readonly OwnStreamRow[]): string {
  const names = own.slice(0, 3).map(({ hashtag, instance }) => `#${hashtag} on ${instance}`);
  const more = own.length > names.length ? ` and ${own.length - names.length} more` : "";
  const [what, whose] =
    own.length === 1 ? ["stream", "This is the hashtag"] : ["streams", "These are the hashtags"];
  return `${whose} of your ${what} ${names.join(", ")}${more}`;
}

function reservedWarning({ reserved }: Reach): Warnings {
  if (reserved === 0) return [];
  const detail =
    reserved === 1
      ? "1 post is with a consumer now and stays there"
      : `${reserved} posts are with consumers now and stay there`;
  return [{ code: "reserved", count: reserved, detail }];
}

function limitWarning(all: number): Warnings {
  if (all <= MAX_REJECTED) return [];
  const detail = `${all} posts match; the oldest ${MAX_REJECTED} are rejected at once`;
  return [{ code: "limited", count: all, detail }];
}
