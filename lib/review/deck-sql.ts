import { db, Prisma, type Tx } from "#lib/base/db.ts";
import { retryLockConflict } from "#lib/base/transaction.ts";
import { totalOf } from "./count-posts.ts";
import type { Remaining } from "./deck-schema.ts";
import type { PostFilters, PostOrder } from "./filter-schema.ts";
import { MAX_SEARCHED } from "./post-schema.ts";
import type { SearchMode } from "./search-posts.ts";
import { containsWords, orderOf, selectPosts, type WordAccess } from "./select-posts.ts";

export const LEASE_MINUTES = 10;
const until = Prisma.sql`now() + ${LEASE_MINUTES}::int * interval '1 minute'`;

/** Posts that a batch may lock; the search for free cards may have to skip all of them. */
const MAX_LOCKED = 10_000;

export interface Claim {
  /** Posts that were free when they were read, own cards first. */
  wanted: number[];
  /** Those of `wanted` that are leased to the holder now. */
  leased: number[];
}

/** FROM and WHERE of unreviewed posts `p` that match. `newest`, because a deck is ordered by creation. */
function openPosts(filters: PostFilters, words: WordAccess): Prisma.Sql {
  const { from, where } = selectPosts(filters, "newest", words);
  return Prisma.sql`${from} WHERE p.approved IS NULL AND ${where}`;
}

/** Condition on a post `p`: unreviewed, and it matches. */
function isOpen(filters: PostFilters): Prisma.Sql {
  return Prisma.sql`p.approved IS NULL AND ${selectPosts(filters, "newest", "row").where}`;
}

/** SQL of `(id)`: free posts that match, in order. Frequent words are looked for in the first `MAX_SEARCHED` posts. */
function freePosts(
  filters: PostFilters,
  order: PostOrder,
  mode: SearchMode | null,
  isFree: Prisma.Sql,
): Prisma.Sql {
  const by = orderOf(order);
  if (mode !== "frequent")
    return Prisma.sql`
      SELECT p.id FROM ${openPosts(filters, mode === null ? "none" : "index")} AND ${isFree} ORDER BY ${by}`;
  // The instance is compared with the words: the posts of a rare one would be looked for in all unreviewed posts.
  const { instance, ...listed } = filters;
  return Prisma.sql`
    SELECT l.id FROM (
      SELECT p.id FROM ${openPosts(listed, "none")} AND ${isFree} ORDER BY ${by} LIMIT ${MAX_SEARCHED}) l,
      LATERAL (${containsWords(filters, { instance })}) matching`;
}

/**
 * Leases own cards first, then free posts. Between simultaneous calls the primary key of review_lease decides. Locks posts
 * one by one, because a lock of the whole query would read every post that a filter excludes. Posts that are leased or
 * skipped are one hashed set (`excluded_posts`), so that no estimate of its size matters.
 */
export function claimStatement(
  holder: string,
  filters: PostFilters,
  order: PostOrder,
  count: number,
  mode: SearchMode | null = null,
): Prisma.Sql {
  const isFree = Prisma.sql`p.id NOT IN (SELECT post_id FROM excluded_posts)`;
  return Prisma.sql`
    WITH mine AS (
      SELECT p.id FROM (
        SELECT p.* FROM review_lease l JOIN post p ON p.id = l.post_id WHERE l.holder = ${holder} OFFSET 0) p
       WHERE ${isOpen(filters)} ORDER BY ${orderOf(order)} LIMIT ${count}
    ), excluded_posts AS MATERIALIZED (
      SELECT post_id FROM review_lease WHERE expires_at > now() OR holder = ${holder} OR skipped ? ${holder}
    ), fresh AS (
      SELECT locked.id FROM (
        ${freePosts(filters, order, mode, isFree)} LIMIT ${count + MAX_LOCKED}) free, LATERAL (
        SELECT p.id FROM post p WHERE p.id = free.id AND p.approved IS NULL FOR NO KEY UPDATE SKIP LOCKED
      ) locked LIMIT ${count}
    ), wanted AS MATERIALIZED (SELECT id FROM mine UNION ALL SELECT id FROM fresh LIMIT ${count})
    ${leaseWanted(holder)}`;
}

/** Leases posts that this reviewer has skipped, the first skipped first. */
export function skippedStatement(
  holder: string,
  filters: PostFilters,
  order: PostOrder,
  count: number,
): Prisma.Sql {
  return Prisma.sql`
    WITH wanted AS MATERIALIZED (
      SELECT p.id FROM post p JOIN review_lease l ON l.post_id = p.id
       -- An array, because a merge join would read the posts before the skipped ones, too.
       WHERE p.id = ANY (ARRAY(SELECT post_id FROM review_lease WHERE skipped ? ${holder})) AND ${isOpen(filters)}
         AND l.expires_at <= now() AND l.holder <> ${holder}
       ORDER BY l.skipped ->> ${holder}, ${orderOf(order)} LIMIT ${count} FOR NO KEY UPDATE OF p SKIP LOCKED
    )
    ${leaseWanted(holder)}`;
}

/** SQL that leases the posts of rows `(id)`, but for those that are leased to another. */
const lease = (holder: string, posts: Prisma.Sql) => Prisma.sql`
      INSERT INTO review_lease AS l (post_id, holder, expires_at)
      SELECT id, ${holder}, ${until} FROM ${posts} ORDER BY id
      ON CONFLICT (post_id) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
        WHERE l.expires_at <= now() OR l.holder = excluded.holder
      RETURNING l.post_id`;

const leaseWanted = (holder: string) => Prisma.sql`, leased AS (${lease(holder, Prisma.sql`wanted`)})
    SELECT ARRAY(SELECT id FROM wanted) AS wanted, ARRAY(SELECT post_id FROM leased) AS leased`;

/** Runs `claimStatement` or `skippedStatement`. */
export async function claim(statement: Prisma.Sql): Promise<Claim> {
  const rows = await retryLockConflict(() => db.$queryRaw<Claim[]>(statement));
  return rows[0] ?? { wanted: [], leased: [] };
}

/** Limit of a count that no figure answers. */
export const MAX_COUNT = 10_000;

/**
 * SQL of `(matching, leased_to_others, remaining_is_more)`: unreviewed posts that match. Frequent words are counted in the
 * first `MAX_SEARCHED` posts.
 */
export function remainingStatement(
  holder: string,
  filters: PostFilters,
  order: PostOrder,
  mode: SearchMode | null = null,
): Prisma.Sql {
  const { stream_id, ...rest } = filters;
  if (Object.values(rest).every((value) => value === undefined)) {
    return Prisma.sql`
      SELECT (${totalOf({ stream_id, reviewed: false })})::float8 AS matching, (
        SELECT count(*) FROM review_lease l JOIN post p ON p.id = l.post_id
         WHERE l.expires_at > now() AND l.holder <> ${holder} AND p.approved IS NULL
           ${stream_id === undefined ? Prisma.empty : Prisma.sql`AND p.stream_id = ${stream_id}`})::float8 AS leased_to_others,
        false AS remaining_is_more`;
  }
  // IN is a hashed filter on the counted rows; EXISTS may become a join that sorts all posts.
  const isLeased = Prisma.sql`id IN (
    SELECT l.post_id FROM review_lease l WHERE l.expires_at > now() AND l.holder <> ${holder})`;
  if (mode === "frequent") {
    const { instance, ...listed } = filters;
    return Prisma.sql`
      WITH listed AS MATERIALIZED (
        SELECT p.id FROM ${openPosts(listed, "none")} ORDER BY ${orderOf(order)} LIMIT ${MAX_SEARCHED + 1})
      SELECT least(count(*), ${MAX_SEARCHED})::float8 AS matching,
             (count(*) FILTER (WHERE l.${isLeased}))::float8 AS leased_to_others,
             (SELECT count(*) FROM listed) > ${MAX_SEARCHED} AS remaining_is_more
        FROM listed l, LATERAL (${containsWords(filters, { instance })}) matching`;
  }
  return Prisma.sql`
    WITH counted AS MATERIALIZED (
      SELECT p.id FROM ${openPosts(filters, mode === null ? "none" : "index")} LIMIT ${MAX_COUNT + 1})
    SELECT least(count(*), ${MAX_COUNT})::float8 AS matching,
           (count(*) FILTER (WHERE ${isLeased}))::float8 AS leased_to_others,
           count(*) > ${MAX_COUNT} AS remaining_is_more FROM counted`;
}

/** Unreviewed posts of the deck, counted up to `MAX_COUNT`, and those of them that others hold. */
export async function countRemaining(
  holder: string,
  filters: PostFilters,
  order: PostOrder,
  mode: SearchMode | null,
): Promise<Remaining> {
  const [{ matching, ...row }] = await db.$queryRaw<[Omit<Remaining, "remaining"> & { matching: number }]>(
    remainingStatement(holder, filters, order, mode),
  );
  return { remaining: matching - row.leased_to_others, ...row };
}

export interface CardFactRow {
  post_id: number;
  author_key: string;
  expires_at: Date;
  edit_at: Date | null;
  edit: unknown;
}

/** Facts of cards that are not in their posts: the lease, the author's key, the edits since the last approval. */
export async function cardFacts(holder: string, ids: number[]): Promise<CardFactRow[]> {
  return db.$queryRaw<CardFactRow[]>`
    SELECT l.post_id, p.author_key, l.expires_at, e.at AS edit_at, e.details AS edit
      FROM review_lease l JOIN post p ON p.id = l.post_id
      LEFT JOIN LATERAL (
        -- From the version that was approved: the edits after the one that withdrew the approval were read by nobody.
        SELECT at, details || coalesce((
                 SELECT jsonb_build_object('before', first.details -> 'before') FROM post_event first
                  WHERE first.post_id = l.post_id AND first.action = 'edit' AND first.from_state = 'pending'
                  ORDER BY first.id DESC LIMIT 1), '{}') AS details
          FROM post_event WHERE post_id = l.post_id AND action = 'edit' AND p.edited_at IS NOT NULL
         ORDER BY id DESC LIMIT 1) e ON true
     WHERE l.holder = ${holder} AND l.post_id = ANY (${ids}::int[])`;
}

/** Limit of a count of waiting posts. */
const MAX_WAITING = 101;

/** Unreviewed posts of authors that the caller may review now. */
export async function waitingByAuthor(
  holder: string,
  authorKeys: string[],
  filters: PostFilters,
): Promise<Map<string, number>> {
  const rows = await db.$queryRaw<{ author_key: string; n: number }[]>`
    SELECT k.author_key, w.n FROM unnest(${authorKeys}::text[]) k (author_key), LATERAL (
      SELECT count(*)::int AS n FROM (
        SELECT FROM post p WHERE p.author_key = k.author_key AND ${isOpen(filters)}
           AND NOT EXISTS (SELECT FROM review_lease l
                            WHERE l.post_id = p.id AND l.expires_at > now() AND l.holder <> ${holder})
         LIMIT ${MAX_WAITING}) found) w`;
  return new Map(rows.map(({ author_key, n }) => [author_key, n]));
}

/** Edits of a post, oldest first. */
export async function editRows(postId: number): Promise<{ edit_at: Date; edit: unknown }[]> {
  return db.$queryRaw`
    SELECT at AS edit_at, details AS edit FROM post_event
     WHERE post_id = ${postId} AND action = 'edit' ORDER BY id`;
}

/** Ends all leases of a holder. Skips stay. @returns number of deleted rows */
export function releaseCards(holder: string): Promise<number> {
  return retryLockConflict(
    () => db.$executeRaw`
      WITH kept AS (
        UPDATE review_lease SET holder = '', expires_at = 'epoch' WHERE holder = ${holder} AND skipped <> '{}')
      DELETE FROM review_lease WHERE holder = ${holder} AND skipped = '{}'`,
  );
}

/** Leases posts to a holder, but for those that are leased to another. */
export async function leaseCards(tx: Tx, holder: string, postIds: readonly number[]): Promise<void> {
  await tx.$queryRaw(lease(holder, Prisma.sql`unnest(${postIds}::int[]) id`));
}

/** Notes a skip and ends the holder's lease; a lease of another stays. */
export async function skipCard(tx: Tx, holder: string, postId: number): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO review_lease AS l (post_id, holder, expires_at, skipped)
    VALUES (${postId}, '', 'epoch', jsonb_build_object(${holder}::text, clock_timestamp()))
    ON CONFLICT (post_id) DO UPDATE SET skipped = l.skipped || excluded.skipped,
      holder = CASE WHEN l.holder = ${holder} THEN '' ELSE l.holder END, expires_at = CASE WHEN l.holder = ${holder} THEN 'epoch' ELSE l.expires_at END`;
}

/** Takes a skip back. */
export async function unskipCard(tx: Tx, holder: string, postId: number): Promise<void> {
  await tx.$executeRaw`UPDATE review_lease SET skipped = skipped - ${holder}::text WHERE post_id = ${postId}`;
}
