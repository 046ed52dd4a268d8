import { toIso } from "#lib/base/clock.ts";
import { db, Prisma, type Tx } from "#lib/base/db.ts";
import { switchRow } from "#lib/queue/switches.ts";
import type { BlockedUser, BlockKind, SwitchName } from "./schema.ts";
import { shownPattern, type Entry } from "./user-patterns.ts";

/* Which posts and authors the entries of the lists match. The SQL function `user_pattern_matches` decides. */

export interface AuthorBlocks {
  blocked_by: Pick<BlockedUser, "id" | "account_identifier" | "pattern_type" | "subdomains">[];
  opt_out: { reason: string; reported_at: string } | null;
}

/**
 * Entries and an open opt-out that concern an author. Compares every pattern, which is fast enough for one author.
 *
 * @param authorKey `user@host` in lower case
 */
export async function findAuthorBlocks(authorKey: string): Promise<AuthorBlocks> {
  const [blocks, report] = await Promise.all([
    db.$queryRaw<(Entry & { id: number })[]>`
      SELECT id, account_identifier AS pattern, pattern_type FROM blocked_user
       WHERE user_pattern_matches(pattern_type, account_identifier, ${authorKey}) ORDER BY id`,
    db.reported_opt_out.findFirst({
      where: { author_key: authorKey, resolved_at: null },
      select: { reason: true, reported_at: true },
    }),
  ]);
  const blocked_by = blocks.map((block) => ({ id: block.id, ...shownPattern(block) }));
  return { blocked_by, opt_out: report && { reason: report.reason, reported_at: toIso(report.reported_at) } };
}

export interface PostBlocks {
  author_blocked: boolean;
  /** Written as in the post. */
  blocked_hashtags: string[];
}

/** By post: whether its author is blocked, and its blocked hashtags. The switches that reject on fetch do not matter. */
export async function findPostBlocks(ids: number[]): Promise<Map<number, PostBlocks>> {
  const rows = await db.$queryRaw<(PostBlocks & { id: number })[]>`
    SELECT p.id, hold_bits(p.author_key, '{}', p.related) & 1 <> 0 AS author_blocked,
           ARRAY(SELECT t.tag FROM unnest(p.hashtags || p.related, p.hashtags_folded || p.related) AS t (tag, folded)
                  WHERE t.folded IN (SELECT hashtag_folded FROM blocked_hashtag)) AS blocked_hashtags
      FROM post p WHERE p.id = ANY (${ids}::int[])`;
  return new Map(rows.map(({ id, ...blocks }) => [id, blocks]));
}

/**
 * SQL of the name of the filter that rejects a post, in the order of `held_by`; null for none. OFFSET 0 makes PostgreSQL compute
 * the bits once for each post.
 *
 * @param row SQL of one row `s` with the switches. Default: those in force
 */
export function rejectionOf(
  authorKey: Prisma.Sql,
  tags: Prisma.Sql,
  related: Prisma.Sql,
  isBot: Prisma.Sql,
  row = switchRow,
): Prisma.Sql {
  return Prisma.sql`(
    SELECT CASE WHEN s.auto_reject_blocked_users AND b.bits & 1 <> 0 THEN 'blocked_user'
                WHEN s.auto_reject_blocked_hashtags AND b.bits & 2 <> 0 THEN 'blocked_hashtag'
                WHEN s.auto_reject_bots AND ${isBot} THEN 'bot' END
      FROM ${row}, LATERAL (SELECT hold_bits(${authorKey}, ${tags}, ${related}) AS bits OFFSET 0) b)`;
}

/** `rejectionOf` for posts `p`. */
const rejectionOfPost = (row?: Prisma.Sql) =>
  rejectionOf(
    Prisma.sql`p.author_key`,
    Prisma.sql`p.hashtags_folded || p.stream_hashtag_folded`,
    Prisma.sql`p.related`,
    Prisma.sql`p.author_is_bot`,
    row,
  );
/** SQL of the filter that rejects a post `p` under the switches in force. */
export const rejectionNow = rejectionOfPost();

/** Switches that reject. Absent ones are off. */
type Rejecting = Partial<Record<SwitchName, boolean>>;
const rejectionUnder = ({
  auto_reject_blocked_users: users = false,
  auto_reject_blocked_hashtags: hashtags = false,
  auto_reject_bots: bots = false,
}: Rejecting) =>
  rejectionOfPost(Prisma.sql`(
    SELECT ${users}::boolean AS auto_reject_blocked_users, ${hashtags}::boolean AS auto_reject_blocked_hashtags,
           ${bots}::boolean AS auto_reject_bots) s`);

async function postsWhere(tx: Tx, condition: Prisma.Sql): Promise<number[]> {
  const rows = await tx.$queryRaw<{ id: number }[]>`SELECT p.id FROM post p WHERE ${condition} ORDER BY p.id`;
  return rows.map((row) => row.id);
}

/** Ids of unreviewed posts that this switch alone would reject. */
export function unreviewedMatching(tx: Tx, name: SwitchName): Promise<number[]> {
  return postsWhere(tx, Prisma.sql`p.approved IS NULL AND ${rejectionUnder({ [name]: true })} IS NOT NULL`);
}

/** SQL of what rejected a post `p` when it was set: "block" or the name of a switch; null for a rejection at a fetch. */
const rejectedBy = Prisma.sql`(
  SELECT e.details ->> 'set' FROM post_event e
   WHERE e.post_id = p.id AND e.action = 'auto_reject' ORDER BY e.id DESC LIMIT 1)`;
const isRejected = Prisma.sql`p.auto_reject_reason IS NOT NULL AND NOT p.approved AND p.erased_at IS NULL`;

/** Ids of posts that were rejected when this switch was set, and that the switches `after` do not reject. */
export function rejectedBySwitch(tx: Tx, name: SwitchName, after: Rejecting): Promise<number[]> {
  return postsWhere(
    tx,
    Prisma.sql`${isRejected} AND ${rejectedBy} = ${name} AND ${rejectionUnder(after)} IS NULL`,
  );
}

/** Ids of posts that were rejected when this entry was set, and that no filter rejects now. Call it after its removal. */
export function rejectedWhenSet(
  tx: Tx,
  kind: BlockKind,
  { pattern, pattern_type }: Entry,
): Promise<number[]> {
  const isAccount = kind === "user" && pattern_type === "exact";
  const matches = isAccount
    ? Prisma.sql`(p.author_key = ${pattern} OR ${pattern} = ANY (p.related))`
    : kind === "user"
      ? Prisma.sql`EXISTS (
          SELECT FROM unnest(p.related || p.author_key) a
           WHERE a LIKE '%@%' AND user_pattern_matches(${pattern_type}, ${pattern}, a))`
      : Prisma.sql`${pattern} = ANY (p.hashtags_folded || p.stream_hashtag_folded || p.related)`;
  return postsWhere(
    tx,
    Prisma.sql`${isRejected} AND p.auto_reject_reason = ${`blocked_${kind}`} AND ${matches}
      AND ${rejectedBy} IS NOT NULL AND ${rejectionNow} IS NULL`,
  );
}

/**
 * CTE `pair (id, author_key)`: entries of the CTE `listed (id, pattern_type, pattern)` with the keys of the CTE `author
 * (author_key)` that they match. A join of pieces of the keys finds candidates, because comparing 3000 patterns with 5000
 * authors took 30 s.
 */
const pairs = Prisma.sql`
  sized AS MATERIALIZED (
    SELECT *, CASE pattern_type WHEN 'contains' THEN left(pattern, 4) ELSE pattern END AS piece FROM listed
  ), size AS MATERIALIZED (
    SELECT DISTINCT pattern_type, length(piece) AS n FROM sized WHERE pattern_type <> 'exact'
  ), part AS (
    SELECT 'exact' AS pattern_type, author_key AS piece, author_key FROM author
    UNION ALL
    SELECT pattern_type, CASE pattern_type WHEN 'prefix' THEN left(author_key, n) ELSE right(author_key, n) END, author_key
      FROM author JOIN size ON pattern_type <> 'contains' AND n <= length(author_key)
    UNION ALL
    SELECT pattern_type, substr(author_key, i, n), author_key
      FROM author JOIN size ON pattern_type = 'contains', generate_series(1, length(author_key) - n + 1) i
  ), pair AS MATERIALIZED (
    SELECT DISTINCT id, author_key FROM part JOIN sized USING (pattern_type, piece)
     WHERE user_pattern_matches(pattern_type, pattern, author_key)
  )`;

/** Number of posts that each entry has rejected or holds. Patterns are compared once for each author of such posts. */
export async function countMatches(kind: BlockKind, ids: number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const query = db.$queryRaw<{ id: number; matches: number }[]>(
    kind === "user"
      ? Prisma.sql`
        WITH listed AS MATERIALIZED (
          SELECT id, created_at, pattern_type, account_identifier AS pattern
            FROM blocked_user WHERE id = ANY (${ids}::int[])
        ), hit AS MATERIALIZED (
          SELECT post_id, NULL::timestamptz AS rejected_at, unnest(related || author_key) AS author_key FROM queue_entry
           WHERE state = 'pending' AND holds > 0 AND holds & 1 <> 0
          UNION ALL
          SELECT id, reviewed_at, unnest(related || author_key) FROM post
           WHERE auto_reject_reason = 'blocked_user' AND NOT approved
        ), author AS MATERIALIZED (
          SELECT DISTINCT author_key FROM hit WHERE author_key LIKE '%@%'
        ), ${pairs}
        SELECT id, count(DISTINCT post_id)::int AS matches
          FROM pair JOIN listed USING (id) JOIN hit USING (author_key)
         WHERE rejected_at IS NULL OR rejected_at >= created_at GROUP BY id`
      : Prisma.sql`
        WITH held AS MATERIALIZED (
          SELECT tag, count(*)::int AS n FROM queue_entry, unnest(related || tags) tag
           WHERE state = 'pending' AND holds > 0 AND holds & 2 <> 0 GROUP BY tag
        )
        SELECT b.id, coalesce(h.n, 0) + coalesce(r.n, 0) AS matches
          FROM blocked_hashtag b
          LEFT JOIN held h ON h.tag = b.hashtag_folded
          LEFT JOIN (
            SELECT b.id, count(DISTINCT p.id)::int AS n
              FROM post p, unnest(p.hashtags_folded || p.related) tag
              JOIN blocked_hashtag b ON b.hashtag_folded = tag
             WHERE p.auto_reject_reason = 'blocked_hashtag' AND NOT p.approved AND p.reviewed_at >= b.created_at
             GROUP BY b.id) r ON r.id = b.id
         WHERE b.id = ANY (${ids}::int[])`,
  );
  // PostgreSQL overestimates the pieces a hundredfold; a merge join would take three times as long.
  const [, rows] = await db.$transaction([db.$executeRaw`SET LOCAL enable_mergejoin = off`, query]);
  return new Map(rows.map((row) => [row.id, row.matches]));
}

/** Posts that entries match and that their list does not hold yet. */
export interface Reach {
  /** Ids of pending posts, which would be held, in order. */
  held: number[];
  /** Ids of unreviewed posts, oldest first. */
  waiting: number[];
}

/** Posts that these entries match, on the list or not. Accounts are found by index, patterns by a comparison with every author. */
export async function reachOf(tx: Tx, kind: BlockKind, entries: readonly Entry[]): Promise<Reach> {
  if (entries.length === 0) return { held: [], waiting: [] };
  const rows = await tx.$queryRaw<Reach[]>`
    WITH ${kind === "user" ? usersReached(entries) : hashtagsReached(entries)}
    SELECT (SELECT coalesce(array_agg(post_id ORDER BY post_id), '{}') FROM entry) AS held,
           (SELECT coalesce(array_agg(id ORDER BY created_at, id), '{}') FROM waiting) AS waiting`;
  return rows[0] as Reach;
}

function usersReached(entries: readonly Entry[]): Prisma.Sql {
  const authors = entries.every((entry) => entry.pattern_type === "exact")
    ? Prisma.sql`SELECT pattern AS author_key FROM listed`
    : Prisma.sql`
      SELECT author_key FROM queue_entry WHERE state = 'pending' AND holds & 1 = 0
      UNION
      SELECT author_key FROM post WHERE approved IS NULL
      UNION
      SELECT a FROM queue_entry, unnest(related) a WHERE state = 'pending' AND holds & 1 = 0 AND a LIKE '%@%'
      UNION
      SELECT a FROM post, unnest(related) a WHERE approved IS NULL AND a LIKE '%@%'`;
  return Prisma.sql`
    listed AS MATERIALIZED (
      SELECT 0 AS id, pattern_type, pattern
        FROM jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) AS e (pattern text, pattern_type text)
    ), author AS MATERIALIZED (${authors}), ${pairs}, matched AS MATERIALIZED (
      SELECT DISTINCT author_key FROM pair
    ), entry AS MATERIALIZED (
      SELECT q.post_id FROM queue_entry q JOIN matched USING (author_key)
       WHERE q.state = 'pending' AND q.holds & 1 = 0
      UNION
      SELECT post_id FROM queue_entry
       WHERE related && ARRAY(SELECT author_key FROM matched) AND state = 'pending' AND holds & 1 = 0
    ), waiting AS (
      SELECT p.id, p.created_at FROM post p JOIN matched USING (author_key) WHERE p.approved IS NULL
      UNION
      SELECT id, created_at FROM post
       WHERE related <> '{}' AND related && ARRAY(SELECT author_key FROM matched) AND approved IS NULL
    )`;
}

/** CTEs of the posts with these hashtags, of their own or of their stream. */
function hashtagsReached(entries: readonly Entry[]): Prisma.Sql {
  const tags = entries.map(({ pattern }) => pattern);
  return Prisma.sql`
    entry AS MATERIALIZED (
      SELECT post_id FROM queue_entry
       WHERE (tags && ${tags}::text[] OR related && ${tags}::text[]) AND state = 'pending' AND holds & 2 = 0
    ), waiting AS (
      SELECT id, created_at FROM post
       WHERE approved IS NULL AND (hashtags_folded || related || stream_hashtag_folded) && ${tags}::text[]
    )`;
}

type HoldingSwitches = Record<SwitchName, boolean>;

/** Number of pending posts that the changed switches would hold or release. Posts that something else holds do not count. */
export async function countSwitchReach(
  tx: Tx,
  before: HoldingSwitches,
  after: HoldingSwitches,
): Promise<{ held: number; released: number }> {
  const [reach = { held: 0, released: 0 }] = await tx.$queryRaw<{ held: number; released: number }[]>`
    SELECT count(*) FILTER (WHERE missing & ${bitsOf(before)} = 0 AND missing & ${bitsOf(after)} <> 0)::int AS held,
           count(*) FILTER (WHERE missing & ${bitsOf(before)} <> 0 AND missing & ${bitsOf(after)} = 0)::int AS released
      FROM queue_entry WHERE state = 'pending' AND missing <> 0 AND holds & ~896 = 0`;
  return reach;
}

/** Bits of queue_entry.missing that these switches hold. */
function bitsOf({ require_media, require_alt_text, auto_reject_bots }: HoldingSwitches): Prisma.Sql {
  const bits = (require_media ? 1 : 0) + (require_alt_text ? 2 : 0) + (auto_reject_bots ? 4 : 0);
  return Prisma.sql`${bits}::smallint`;
}
