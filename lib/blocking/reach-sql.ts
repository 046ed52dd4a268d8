import { Prisma, type Tx } from "#lib/base/db.ts";
import type { HashtagEntry, UserPattern } from "./block-rows.ts";
import { pieceOf, piecesOfAuthors } from "./block-lists-sql.ts";

/** Posts that entries match and that their list does not hold yet. */
export interface Reach {
  /** Pending; they would be held. In order of id. */
  held: number[];
  /** Unreviewed, oldest first. */
  waiting: number[];
}

const NOTHING: Reach = { held: [], waiting: [] };

/**
 * Accounts are found by index. Open patterns are compared with every author of such posts: substrings of the author key
 * find candidates, `user_pattern_matches` decides.
 */
export async function userReach(tx: Tx, entries: readonly UserPattern[]): Promise<Reach> {
  if (entries.length === 0) return NOTHING;
  const onlyAccounts = entries.every((entry) => entry.pattern_type === "exact");
  const authors = onlyAccounts
    ? Prisma.sql`SELECT pattern AS author_key FROM listed`
    : Prisma.sql`
      SELECT author_key FROM queue_entry WHERE state = 'pending' AND holds & 1 = 0
      UNION
      SELECT author_key FROM post WHERE approved IS NULL
      UNION
      SELECT a FROM queue_entry, unnest(related) a WHERE state = 'pending' AND holds & 1 = 0 AND a LIKE '%@%'
      UNION
      SELECT a FROM post, unnest(related) a WHERE approved IS NULL AND a LIKE '%@%'`;
  const rows = await tx.$queryRaw<Reach[]>`
    WITH listed AS MATERIALIZED (
      SELECT pattern_type, account_identifier AS pattern, ${pieceOf} AS piece
        FROM jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) AS r (account_identifier text, pattern_type text)
    ), author AS MATERIALIZED (${authors}), ${piecesOfAuthors}, matched AS MATERIALIZED (
      SELECT DISTINCT part.author_key
        FROM part JOIN listed l ON l.pattern_type = part.pattern_type AND l.piece = part.piece
       WHERE user_pattern_matches(l.pattern_type, l.pattern, part.author_key)
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
    )
    SELECT ${columns}`;
  return rows[0] ?? NOTHING;
}

/** By hashtag of the post or of its stream. */
export async function hashtagReach(tx: Tx, entries: readonly HashtagEntry[]): Promise<Reach> {
  if (entries.length === 0) return NOTHING;
  const tags = entries.map((entry) => entry.hashtag_folded);
  const rows = await tx.$queryRaw<Reach[]>`
    WITH entry AS MATERIALIZED (
      SELECT post_id FROM queue_entry
       WHERE (tags && ${tags}::text[] OR related && ${tags}::text[]) AND state = 'pending' AND holds & 2 = 0
    ), waiting AS (
      SELECT id, created_at FROM post
       WHERE approved IS NULL AND post_tags(hashtags_folded || related, stream_hashtag_folded) && ${tags}::text[]
    )
    SELECT ${columns}`;
  return rows[0] ?? NOTHING;
}

const columns = Prisma.sql`
  (SELECT coalesce(array_agg(post_id ORDER BY post_id), '{}') FROM entry) AS held,
  (SELECT coalesce(array_agg(id ORDER BY created_at, id), '{}') FROM waiting) AS waiting`;

interface HoldingSwitches {
  require_media: boolean;
  require_alt_text: boolean;
  auto_reject_bots: boolean;
}

/** Pending posts that nothing else holds. */
export interface SwitchReach {
  held: number;
  released: number;
}

export async function countSwitchReach(
  tx: Tx,
  before: HoldingSwitches,
  after: HoldingSwitches,
): Promise<SwitchReach> {
  const rows = await tx.$queryRaw<SwitchReach[]>`
    SELECT count(*) FILTER (WHERE missing & ${bitsOf(before)} = 0 AND missing & ${bitsOf(after)} <> 0)::int AS held,
           count(*) FILTER (WHERE missing & ${bitsOf(before)} <> 0 AND missing & ${bitsOf(after)} = 0)::int AS released
      FROM queue_entry WHERE state = 'pending' AND missing <> 0 AND holds & ~896 = 0`;
  return rows[0] ?? { held: 0, released: 0 };
}

/** Bits of queue_entry.missing. */
function bitsOf({ require_media, require_alt_text, auto_reject_bots }: HoldingSwitches): Prisma.Sql {
  const bits = (require_media ? 1 : 0) + (require_alt_text ? 2 : 0) + (auto_reject_bots ? 4 : 0);
  return Prisma.sql`${bits}::smallint`;
}
