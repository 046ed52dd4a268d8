import { db, type Tx } from "#lib/db.ts";
import type { ExportSettingsUpdate, PatternType, SwitchName } from "./schema.ts";

export interface SettingsRow extends Record<SwitchName, boolean> {
  created_at: Date;
  updated_at: Date;
}

/** The export settings; there is one row, made by its migration. */
export async function settingsRow(tx: Tx, lock: "lock" | "read"): Promise<SettingsRow> {
  const rows =
    lock === "lock"
      ? await tx.$queryRaw<SettingsRow[]>`SELECT * FROM export_setting FOR UPDATE`
      : await tx.$queryRaw<SettingsRow[]>`SELECT * FROM export_setting`;
  return rows[0] as SettingsRow;
}

/** Writes switches; what is not named stays. */
export async function writeSettings(tx: Tx, change: ExportSettingsUpdate): Promise<SettingsRow> {
  const on = (name: SwitchName) => change[name] ?? null;
  const rows = await tx.$queryRaw<SettingsRow[]>`
    UPDATE export_setting SET
      require_media = coalesce(${on("require_media")}::boolean, require_media),
      require_alt_text = coalesce(${on("require_alt_text")}::boolean, require_alt_text),
      auto_reject_blocked_users = coalesce(${on("auto_reject_blocked_users")}::boolean, auto_reject_blocked_users),
      auto_reject_blocked_hashtags =
        coalesce(${on("auto_reject_blocked_hashtags")}::boolean, auto_reject_blocked_hashtags),
      auto_reject_bots = coalesce(${on("auto_reject_bots")}::boolean, auto_reject_bots),
      updated_at = now()
    RETURNING *`;
  return rows[0] as SettingsRow;
}

export interface UserPattern {
  account_identifier: string;
  pattern_type: PatternType;
  notes: string | null;
}

export interface BlockedUserRow extends UserPattern {
  id: number;
  created_at: Date;
}

export interface BlockedHashtagRow {
  id: number;
  hashtag: string;
  hashtag_folded: string;
  notes: string | null;
  created_at: Date;
}

/**
 * Puts patterns on the list; those that are on it already are left out of the answer. In one order, so that two
 * imports wait for each other instead of blocking each other.
 */
export function insertBlockedUsers(tx: Tx, patterns: UserPattern[]): Promise<BlockedUserRow[]> {
  return tx.$queryRaw<BlockedUserRow[]>`
    INSERT INTO blocked_user (account_identifier, pattern_type, notes)
    SELECT * FROM (
      SELECT r.account_identifier, r.pattern_type, r.notes
        FROM jsonb_to_recordset(${JSON.stringify(patterns)}::jsonb)
             AS r (account_identifier text, pattern_type text, notes text)
       ORDER BY 1, 2) fresh
    ON CONFLICT (account_identifier, pattern_type) DO NOTHING
    RETURNING id, account_identifier, pattern_type, notes, created_at`;
}

/** Takes a pattern off the list; null when there is none with this id. */
export async function deleteBlockedUser(tx: Tx, id: number): Promise<BlockedUserRow | null> {
  const rows = await tx.$queryRaw<BlockedUserRow[]>`
    DELETE FROM blocked_user WHERE id = ${id}
    RETURNING id, account_identifier, pattern_type, notes, created_at`;
  return rows[0] ?? null;
}

/** The same as `insertBlockedUsers` for hashtags. */
export function insertBlockedHashtags(
  tx: Tx,
  tags: { hashtag: string; hashtag_folded: string; notes: string | null }[],
): Promise<BlockedHashtagRow[]> {
  return tx.$queryRaw<BlockedHashtagRow[]>`
    INSERT INTO blocked_hashtag (hashtag, hashtag_folded, notes)
    SELECT * FROM (
      SELECT r.hashtag, r.hashtag_folded, r.notes
        FROM jsonb_to_recordset(${JSON.stringify(tags)}::jsonb) AS r (hashtag text, hashtag_folded text, notes text)
       ORDER BY 2) fresh
    ON CONFLICT (hashtag_folded) DO NOTHING
    RETURNING id, hashtag, hashtag_folded, notes, created_at`;
}

export async function deleteBlockedHashtag(tx: Tx, id: number): Promise<BlockedHashtagRow | null> {
  const rows = await tx.$queryRaw<BlockedHashtagRow[]>`
    DELETE FROM blocked_hashtag WHERE id = ${id}
    RETURNING id, hashtag, hashtag_folded, notes, created_at`;
  return rows[0] ?? null;
}

interface MatchRow {
  id: number;
  matches: number;
}

/**
 * How many posts each of these patterns has auto-rejected since it is on the list, or holds now. One pass whatever
 * the length of the list: only authors with such posts are looked at, each cut into the pieces that a listed pattern
 * (of `contains`: its first 8, 4 or 2 characters) could be equal to. Pieces only find candidates;
 * `user_pattern_matches` decides.
 */
export async function countUserMatches(ids: number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const query = db.$queryRaw<MatchRow[]>`
    WITH listed AS MATERIALIZED (
      SELECT id, created_at, pattern_type, account_identifier AS pattern,
             CASE WHEN pattern_type <> 'contains' THEN account_identifier
                  WHEN length(account_identifier) >= 8 THEN left(account_identifier, 8)
                  WHEN length(account_identifier) >= 4 THEN left(account_identifier, 4)
                  ELSE left(account_identifier, 2) END AS piece
        FROM blocked_user WHERE id = ANY (${ids}::int[])
    ), size AS MATERIALIZED (
      SELECT DISTINCT pattern_type, length(piece) AS n FROM listed WHERE pattern_type <> 'exact'
    ), held AS MATERIALIZED (
      SELECT author_key, count(*)::int AS posts FROM queue_entry
       WHERE state = 'pending' AND holds <> 0 AND (holds & 1) <> 0 GROUP BY author_key
    ), author AS MATERIALIZED (
      SELECT author_key FROM held
      UNION
      SELECT author_key FROM post WHERE auto_reject_reason = 'blocked_user' AND NOT approved
    ), part AS (
      SELECT 'exact' AS pattern_type, author_key AS piece, author_key FROM author
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
    ), pair AS MATERIALIZED (
      SELECT DISTINCT l.id, l.created_at, part.author_key
        FROM part JOIN listed l ON l.pattern_type = part.pattern_type AND l.piece = part.piece
       WHERE user_pattern_matches(l.pattern_type, l.pattern, part.author_key)
    )
    SELECT id, sum(posts)::int AS matches FROM (
      SELECT pair.id, held.posts FROM pair JOIN held USING (author_key)
      UNION ALL
      SELECT pair.id, count(*)::int
        FROM pair JOIN post USING (author_key)
       WHERE post.auto_reject_reason = 'blocked_user' AND NOT post.approved AND post.reviewed_at >= pair.created_at
       GROUP BY pair.id) counted
    GROUP BY id`;
  // The planner takes the pieces for a hundred times as many and would sort them all for a merge join: three times as slow.
  const [, rows] = await db.$transaction([db.$executeRaw`SET LOCAL enable_mergejoin = off`, query]);
  return new Map(rows.map((row) => [row.id, row.matches]));
}

/** The same for hashtags. Held entries are read once; the rejected posts of a hashtag are found by index. */
export async function countHashtagMatches(ids: number[]): Promise<Map<number, number>> {
  const rows = await db.$queryRaw<MatchRow[]>`
    WITH held AS MATERIALIZED (
      SELECT tag, count(*)::int AS n FROM queue_entry, unnest(tags) tag
       WHERE state = 'pending' AND holds <> 0 AND (holds & 2) <> 0 GROUP BY tag
    )
    SELECT b.id, coalesce(h.n, 0) + r.n AS matches
      FROM blocked_hashtag b
      LEFT JOIN held h ON h.tag = b.hashtag_folded
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS n FROM post p
        WHERE p.hashtags_folded @> ARRAY[b.hashtag_folded] AND p.auto_reject_reason = 'blocked_hashtag'
          AND NOT p.approved AND p.reviewed_at >= b.created_at) r
     WHERE b.id = ANY (${ids}::int[])`;
  return new Map(rows.map((row) => [row.id, row.matches]));
}

/** Which of these patterns are on the list, as `<type> <pattern>`. */
export async function listedUserPatterns(patterns: UserPattern[]): Promise<Set<string>> {
  const rows = await db.$queryRaw<{ listed: string }[]>`
    SELECT b.pattern_type || ' ' || b.account_identifier AS listed
      FROM jsonb_to_recordset(${JSON.stringify(patterns)}::jsonb) AS r (account_identifier text, pattern_type text)
      JOIN blocked_user b USING (account_identifier, pattern_type)`;
  return new Set(rows.map((row) => row.listed));
}

/** Which of these folded hashtags are on the list. */
export async function listedHashtags(folded: string[]): Promise<Set<string>> {
  const rows = await db.$queryRaw<{ hashtag_folded: string }[]>`
    SELECT hashtag_folded FROM blocked_hashtag WHERE hashtag_folded = ANY (${folded}::text[])`;
  return new Set(rows.map((row) => row.hashtag_folded));
}
