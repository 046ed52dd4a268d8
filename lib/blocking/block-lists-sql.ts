import { db, Prisma, type Tx } from "#lib/base/db.ts";
import type { HashtagEntry, Row, UserPattern } from "./block-rows.ts";

/*
 * Inserts new rows in one statement, sorted, so that concurrent imports cannot deadlock. Prisma would split a long
 * list into many statements (docs/decisions/0006-block-changes-in-batches.md: 30 s instead of 3.6 s for 43 000
 * rows).
 */

/**
 * A new domain replaces its own suffixes, `@domain` and `.domain`; these are not added beside it.
 *
 * @returns new entries
 */
export async function insertUserPatterns(tx: Tx, patterns: UserPattern[]): Promise<Row<"user">[]> {
  const domains = patterns.flatMap((each) => (each.pattern_type === "domain" ? each.account_identifier : []));
  const added = await tx.$queryRaw<Row<"user">[]>`
    INSERT INTO blocked_user (account_identifier, pattern_type, notes)
    SELECT * FROM (
      SELECT r.account_identifier, r.pattern_type, r.notes
        FROM jsonb_to_recordset(${JSON.stringify(patterns)}::jsonb)
             AS r (account_identifier text, pattern_type text, notes text)
       WHERE NOT (${isSuffixOfDomain})
       ORDER BY 1, 2) fresh
    ON CONFLICT (account_identifier, pattern_type) DO NOTHING
    RETURNING id, account_identifier, pattern_type, notes, created_at`;
  if (domains.length === 0) return added;
  await tx.$executeRaw`
    DELETE FROM blocked_user
     WHERE pattern_type = 'suffix'
       AND account_identifier IN (SELECT mark || name FROM unnest(${domains}::text[]) name, unnest('{@,.}'::text[]) mark)`;
  return added;
}

const isSuffixOfDomain = Prisma.sql`
  r.pattern_type = 'suffix' AND left(r.account_identifier, 1) IN ('@', '.')
  AND EXISTS (SELECT FROM blocked_user d
               WHERE d.pattern_type = 'domain' AND d.account_identifier = substr(r.account_identifier, 2))`;

export async function insertHashtags(tx: Tx, hashtags: HashtagEntry[]): Promise<Row<"hashtag">[]> {
  return tx.$queryRaw<Row<"hashtag">[]>`
    INSERT INTO blocked_hashtag (hashtag, hashtag_folded, notes)
    SELECT * FROM (
      SELECT r.hashtag, r.hashtag_folded, r.notes
        FROM jsonb_to_recordset(${JSON.stringify(hashtags)}::jsonb)
             AS r (hashtag text, hashtag_folded text, notes text)
       ORDER BY 2) fresh
    ON CONFLICT (hashtag_folded) DO NOTHING
    RETURNING id, hashtag, hashtag_folded, notes, created_at`;
}

/** First characters of a pattern that find its candidates. */
export const pieceOf = Prisma.sql`
  CASE WHEN pattern_type <> 'contains' THEN account_identifier
       WHEN length(account_identifier) >= 8 THEN left(account_identifier, 8)
       WHEN length(account_identifier) >= 4 THEN left(account_identifier, 4)
       ELSE left(account_identifier, 2) END`;

/**
 * Named queries `size` and `part`: the pieces of each author's key, to be joined with `listed` (pattern_type, pattern,
 * piece). They need `author` (author_key).
 */
export const piecesOfAuthors = Prisma.sql`
    size AS MATERIALIZED (
      SELECT DISTINCT pattern_type, length(piece) AS n FROM listed WHERE pattern_type NOT IN ('exact', 'domain')
    ), part AS (
      SELECT 'exact' AS pattern_type, author_key AS piece, author_key FROM author
      UNION ALL
      SELECT 'domain', unnest(author_domains(author_key)), author_key FROM author
      UNION ALL
      SELECT s.pattern_type, right(author_key, s.n), author_key FROM author
        JOIN size s ON s.pattern_type = 'suffix' AND s.n <= length(author_key)
      UNION ALL
      SELECT s.pattern_type, left(author_key, s.n), author_key FROM author
        JOIN size s ON s.pattern_type = 'prefix' AND s.n <= length(author_key)
      UNION ALL
      SELECT s.pattern_type, substr(author_key, i, s.n), author_key FROM author
        JOIN size s ON s.pattern_type = 'contains'
        CROSS JOIN generate_series(1, length(author_key) - s.n + 1) i
    )`;

interface MatchRow {
  id: number;
  matches: number;
}

/**
 * Posts that each pattern has rejected or holds. One pass over the authors of such posts: substrings of the
 * author key find candidates, `user_pattern_matches` decides.
 */
export async function countUserMatches(ids: number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const query = db.$queryRaw<MatchRow[]>`
    WITH listed AS MATERIALIZED (
      SELECT id, created_at, pattern_type, account_identifier AS pattern, ${pieceOf} AS piece
        FROM blocked_user WHERE id = ANY (${ids}::int[])
    ), hit AS MATERIALIZED (
      SELECT post_id, NULL::timestamptz AS rejected_at, unnest(related || author_key) AS author_key FROM queue_entry
       WHERE state = 'pending' AND holds <> 0 AND (holds & 1) <> 0
      UNION ALL
      SELECT id, reviewed_at, unnest(related || author_key) FROM post
       WHERE auto_reject_reason = 'blocked_user' AND NOT approved
    ), author AS MATERIALIZED (
      SELECT DISTINCT author_key FROM hit WHERE author_key LIKE '%@%'
    ), ${piecesOfAuthors}, pair AS MATERIALIZED (
      SELECT DISTINCT l.id, l.created_at, part.author_key
        FROM part JOIN listed l ON l.pattern_type = part.pattern_type AND l.piece = part.piece
       WHERE user_pattern_matches(l.pattern_type, l.pattern, part.author_key)
    )
    SELECT pair.id, count(DISTINCT post_id)::int AS matches
      FROM pair JOIN hit USING (author_key) WHERE rejected_at IS NULL OR rejected_at >= pair.created_at
     GROUP BY pair.id`;
  // PostgreSQL overestimates the substrings a hundredfold; a merge join would take three times as long.
  const [, rows] = await db.$transaction([db.$executeRaw`SET LOCAL enable_mergejoin = off`, query]);
  return new Map(rows.map((row) => [row.id, row.matches]));
}

export async function countHashtagMatches(ids: number[]): Promise<Map<number, number>> {
  const rows = await db.$queryRaw<MatchRow[]>`
    WITH held AS MATERIALIZED (
      SELECT tag, count(*)::int AS n FROM queue_entry, unnest(related || tags) tag
       WHERE state = 'pending' AND holds <> 0 AND (holds & 2) <> 0 GROUP BY tag
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
     WHERE b.id = ANY (${ids}::int[])`;
  return new Map(rows.map((row) => [row.id, row.matches]));
}

/** The subset that is on the list. */
export function listedUserPatterns(patterns: UserPattern[]): Promise<UserPattern[]> {
  return db.$queryRaw<UserPattern[]>`
    SELECT r.account_identifier, r.pattern_type, r.notes
      FROM jsonb_to_recordset(${JSON.stringify(patterns)}::jsonb)
           AS r (account_identifier text, pattern_type text, notes text)
     WHERE EXISTS (SELECT FROM blocked_user b
                    WHERE b.account_identifier = r.account_identifier AND b.pattern_type = r.pattern_type)
        OR (${isSuffixOfDomain})`;
}

/** In any spelling. */
export function listedHashtags(hashtags: HashtagEntry[]): Promise<HashtagEntry[]> {
  const folded = hashtags.map((each) => each.hashtag_folded);
  return db.$queryRaw<HashtagEntry[]>`
    SELECT hashtag, hashtag_folded, notes FROM blocked_hashtag WHERE hashtag_folded = ANY (${folded}::text[])`;
}
