import { db, Prisma, type Tx } from "#lib/db.ts";
import { totalOf } from "#lib/posts/count-posts.ts";
import type { PostFilters, PostOrder } from "#lib/posts/schema.ts";
import type { Place } from "#lib/posts/search-after.ts";
import { shortLead } from "#lib/posts/search-leads.ts";
import { isFrequent } from "#lib/posts/search-shares.ts";
import { REACH, WINDOW } from "#lib/posts/search-sql.ts";
import { orderOf } from "#lib/posts/select-posts.ts";
import { deckWhere, freeOf, matchingOf, noEdge, walkOf, type DeckSearch } from "./deck-search-sql.ts";
import { retryLockConflict } from "#lib/transaction.ts";

/** Duration of a lease. */
export const LEASE_MINUTES = 10;
const until = Prisma.sql`now() + ${LEASE_MINUTES}::int * interval '1 minute'`;

/** Most posts that one transaction locks (a batch). The scan for free cards may have to skip that many. */
const LOCKED_AT_MOST = 10_000;

const mutedPosts = Prisma.sql`
  SELECT m.id FROM author_standing a JOIN post m ON m.author_key = a.author_key
   WHERE a.standing = 'muted' AND m.approved IS NULL`;

export interface Claim {
  /** Posts that were free when read, own cards first, in order. */
  wanted: number[];
  /** Those of them that are now leased to the holder. */
  leased: number[];
  /** Position where the search stopped; later posts may match, too. Null: the search was complete. */
  stop: Omit<Place, "order"> | null;
}

/**
 * Leases cards in one statement: own cards first (also expired ones that nobody took), then free ones in order. Skips
 * posts that other transactions lock. Two concurrent calls may still choose the same post; the primary key of
 * `review_lease` decides, and the post is missing from the other call's `leased`.
 *
 * Scans an index and locks posts one by one: with one locking query, every post that a filter excludes would be read
 * from the table. Posts to skip are one materialised set, so that the scan stays index-only whatever PostgreSQL
 * estimates.
 * @param search how words in the filters are searched
 */
export function claimStatement(
  holder: string,
  filters: PostFilters,
  order: PostOrder,
  count: number,
  search: DeckSearch = { in: "rare" },
): Prisma.Sql {
  const { matching, free, edge } = freeOf(filters, order, search, count + LOCKED_AT_MOST);
  return Prisma.sql`
    WITH mine AS (
      SELECT p.id FROM review_lease l JOIN post p ON p.id = l.post_id
       WHERE l.holder = ${holder} AND p.approved IS NULL AND ${deckWhere(filters, "row")}
       ORDER BY ${orderOf(order)} LIMIT ${count}
    ), ${matching} passed AS MATERIALIZED (
      SELECT post_id FROM review_lease WHERE expires_at > now() OR holder = ${holder}
      UNION ALL SELECT post_id FROM review_skip WHERE holder = ${holder}
      UNION ALL ${mutedPosts}
    ), fresh AS (
      SELECT locked.id FROM (${free}) free, LATERAL (
        SELECT p.id FROM post p WHERE p.id = free.id AND p.approved IS NULL FOR NO KEY UPDATE SKIP LOCKED
      ) locked LIMIT ${count}
    ), wanted AS MATERIALIZED (SELECT id FROM mine UNION ALL SELECT id FROM fresh LIMIT ${count}),
    edge AS MATERIALIZED (SELECT e.* FROM (${edge}) e WHERE (SELECT count(*) FROM wanted) < ${count})
    ${leaseWanted(holder)}`;
}

/** Leases the posts that come last: those of muted authors, then those that this reviewer has skipped. */
export function behindStatement(
  holder: string,
  filters: PostFilters,
  order: PostOrder,
  count: number,
): Prisma.Sql {
  return Prisma.sql`
    WITH wanted AS MATERIALIZED (
      SELECT p.id FROM post p LEFT JOIN review_skip s ON s.post_id = p.id AND s.holder = ${holder}
       WHERE p.id IN (SELECT post_id FROM review_skip WHERE holder = ${holder}
                      UNION ${mutedPosts})
         AND p.approved IS NULL AND ${deckWhere(filters, "row")}
         AND NOT EXISTS (SELECT FROM review_lease l WHERE l.post_id = p.id AND (l.expires_at > now() OR l.holder = ${holder}))
       ORDER BY s.skipped_at NULLS FIRST, ${orderOf(order)} LIMIT ${count} FOR NO KEY UPDATE OF p SKIP LOCKED
    ), edge AS (${noEdge})
    ${leaseWanted(holder)}`;
}

/** Leases the posts of the CTE `wanted`, unless another lease was inserted meanwhile. */
function leaseWanted(holder: string): Prisma.Sql {
  return Prisma.sql`, leased AS (
      INSERT INTO review_lease AS l (post_id, holder, expires_at)
      SELECT id, ${holder}, ${until} FROM wanted ORDER BY id
      ON CONFLICT (post_id) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
        WHERE l.expires_at <= now() OR l.holder = excluded.holder
      RETURNING l.post_id
    )
    SELECT ARRAY(SELECT id FROM wanted) AS wanted, ARRAY(SELECT post_id FROM leased) AS leased,
           e.moment AS stop_at, e.id AS stop_id, e.key AS stop_key
      FROM (VALUES (1)) one LEFT JOIN edge e ON true`;
}

export async function claimCards(
  holder: string,
  filters: PostFilters,
  order: PostOrder,
  count: number,
): Promise<Claim> {
  const ask = (search: DeckSearch) => claim(claimStatement(holder, filters, order, count, search));
  if (!(await isFrequent(filters))) return ask({ in: "rare" });
  const lead = await shortLead({ ...filters, reviewed: false }, REACH);
  if (lead !== null && lead.posts <= WINDOW) return ask({ in: "within", lead });
  const walked = await ask({ in: "walk", reach: REACH });
  return walked.stop === null || lead === null ? walked : ask({ in: "within", lead });
}

export async function claimBehind(
  holder: string,
  filters: PostFilters,
  order: PostOrder,
  count: number,
): Promise<Claim> {
  return claim(behindStatement(holder, filters, order, count));
}

async function claim(statement: Prisma.Sql): Promise<Claim> {
  const rows = await retryLockConflict(() =>
    db.$queryRaw<
      { wanted: number[]; leased: number[]; stop_at: Date | null; stop_id: number; stop_key: string | null }[]
    >(statement),
  );
  const {
    wanted = [],
    leased = [],
    stop_at: moment = null,
    stop_id: id = 0,
    stop_key: key = null,
  } = rows[0] ?? {};
  return { wanted, leased, stop: moment === null ? null : { moment, id, key } };
}

/** Limit of counting for filters without a counter. */
export const COUNT_AT_MOST = 10_000;

export interface Remaining {
  n: number;
  /** True when counting stopped at `n`. */
  is_more: boolean;
}

/**
 * Counts unreviewed posts that match and are not leased to others: from the counters where possible, else up to
 * `COUNT_AT_MOST`. Frequent words are counted as in lists.
 */
export function remainingStatement(
  holder: string,
  filters: PostFilters,
  search: DeckSearch = { in: "rare" },
): Prisma.Sql {
  const { stream_id, ...rest } = filters;
  const held = Prisma.sql`SELECT FROM review_lease l WHERE l.post_id = p.id AND l.expires_at > now() AND l.holder <> ${holder}`;
  if (Object.values(rest).every((value) => value === undefined)) {
    return Prisma.sql`
      SELECT greatest(0, (${totalOf({ stream_id, reviewed: false })}) - (
        SELECT count(*) FROM review_lease l JOIN post p ON p.id = l.post_id
         WHERE l.expires_at > now() AND l.holder <> ${holder} AND p.approved IS NULL
           ${stream_id === undefined ? Prisma.empty : Prisma.sql`AND p.stream_id = ${stream_id}`}))::float8 AS n,
        false AS is_more`;
  }
  if (search.in === "walk") {
    const { walked, met } = walkOf(filters, "newest", search.reach + 1, [Prisma.sql`NOT EXISTS (${held})`]);
    return Prisma.sql`
      WITH walked AS MATERIALIZED (${walked})
      SELECT least(count(*), ${search.reach})::float8 AS n, (SELECT count(*) FROM walked) > ${search.reach} AS is_more
        FROM walked w, LATERAL (${met}) found`;
  }
  const { matching, among } = matchingOf(filters, search);
  return Prisma.sql`
    WITH ${matching} counted AS (
      SELECT FROM ${among} AND NOT EXISTS (${held}) LIMIT ${COUNT_AT_MOST + 1})
    SELECT least(count(*), ${COUNT_AT_MOST})::float8 AS n, count(*) > ${COUNT_AT_MOST} AS is_more FROM counted`;
}

export async function countRemaining(holder: string, filters: PostFilters): Promise<Remaining> {
  let search: DeckSearch = { in: "rare" };
  if (await isFrequent(filters)) {
    const lead = await shortLead({ ...filters, reviewed: false }, WINDOW);
    search = lead === null ? { in: "walk", reach: WINDOW } : { in: "within", lead };
  }
  const rows = await db.$queryRaw<Remaining[]>(remainingStatement(holder, filters, search));
  return rows[0] ?? { n: 0, is_more: false };
}

/** Expiry of a card, and the last edit of its post at the source. */
export interface CardFactRow {
  post_id: number;
  expires_at: Date;
  edit_at: Date | null;
  edit: unknown;
}

export async function cardFacts(holder: string, ids: number[]): Promise<CardFactRow[]> {
  return db.$queryRaw<CardFactRow[]>`
    SELECT l.post_id, l.expires_at, e.at AS edit_at, e.details AS edit
      FROM review_lease l JOIN post p ON p.id = l.post_id
      LEFT JOIN LATERAL (SELECT at, details FROM post_event
                          WHERE post_id = l.post_id AND action = 'edit' AND p.edited_at IS NOT NULL
                          ORDER BY id DESC LIMIT 1) e ON true
     WHERE l.holder = ${holder} AND l.post_id = ANY (${ids}::int[])`;
}

/** Every edit of a post at its source, oldest first. */
export async function editRows(postId: number): Promise<{ edit_at: Date; edit: unknown }[]> {
  return db.$queryRaw`
    SELECT at AS edit_at, details AS edit FROM post_event
     WHERE post_id = ${postId} AND action = 'edit' ORDER BY id`;
}

/** Deletes a holder's leases. Returns their number. */
export function releaseCards(holder: string): Promise<number> {
  return retryLockConflict(() => db.$executeRaw`DELETE FROM review_lease WHERE holder = ${holder}`);
}

/** Leases one post to a holder unless it is leased to another. Used by an undo. */
export async function leaseCard(tx: Tx, holder: string, postId: number): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO review_lease AS l (post_id, holder, expires_at) VALUES (${postId}, ${holder}, ${until})
    ON CONFLICT (post_id) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
      WHERE l.expires_at <= now() OR l.holder = excluded.holder`;
}

/** Records a skip and deletes the holder's lease. */
export async function skipCard(tx: Tx, holder: string, postId: number): Promise<void> {
  await tx.$executeRaw`
    WITH freed AS (DELETE FROM review_lease WHERE post_id = ${postId} AND holder = ${holder})
    INSERT INTO review_skip (holder, post_id, skipped_at) VALUES (${holder}, ${postId}, clock_timestamp())
    ON CONFLICT (holder, post_id) DO UPDATE SET skipped_at = excluded.skipped_at`;
}

/** Deletes a skip. */
export async function unskipCard(tx: Tx, holder: string, postId: number): Promise<void> {
  await tx.$executeRaw`DELETE FROM review_skip WHERE holder = ${holder} AND post_id = ${postId}`;
}
