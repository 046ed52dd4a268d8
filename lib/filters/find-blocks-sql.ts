import { db, type Tx } from "#lib/db.ts";
import type { UserPattern } from "./block-rows.ts";

export interface PostBlocks {
  author_blocked: boolean;
  /** Written as in the post. */
  blocked_hashtags: string[];
}

const AUTHORS_A_PAGE = 2_000;

/** Compares every pattern: fast enough for one author. */
export function authorBlockRows(
  tx: Tx,
  authorKey: string,
): Promise<(Omit<UserPattern, "notes"> & { id: number })[]> {
  return tx.$queryRaw`
    SELECT id, account_identifier, pattern_type FROM blocked_user
     WHERE user_pattern_matches(pattern_type, account_identifier, ${authorKey}) ORDER BY id`;
}

/** Whether or not the lists reject on fetch. */
export function postBlockRows(ids: number[]): Promise<(PostBlocks & { id: number })[]> {
  return db.$queryRaw<(PostBlocks & { id: number })[]>`
    SELECT p.id, accounts_blocked(p.related || p.author_key) AS author_blocked,
           ARRAY(SELECT t.tag FROM unnest(p.hashtags || p.related, p.hashtags_folded || p.related) AS t (tag, folded)
                  WHERE t.folded IN (SELECT hashtag_folded FROM blocked_hashtag)) AS blocked_hashtags
      FROM post p WHERE p.id = ANY (${ids}::int[])`;
}

/** Walks the distinct authors by index, so each is checked once. */
export async function unreviewedOfBlockedUsers(): Promise<number[]> {
  const blocked: string[] = [];
  for (let after = ""; ;) {
    const page = await db.$queryRaw<{ author_key: string; blocked: boolean }[]>`
      WITH RECURSIVE walk AS (
        (SELECT author_key FROM post WHERE approved IS NULL AND author_key > ${after} ORDER BY author_key LIMIT 1)
        UNION ALL
        SELECT (SELECT p.author_key FROM post p WHERE p.approved IS NULL AND p.author_key > w.author_key
                 ORDER BY p.author_key LIMIT 1)
          FROM walk w WHERE w.author_key IS NOT NULL
      ), page AS MATERIALIZED (SELECT author_key FROM walk WHERE author_key IS NOT NULL LIMIT ${AUTHORS_A_PAGE})
      SELECT author_key, user_blocked(author_key) AS blocked FROM page`;
    blocked.push(...page.filter((row) => row.blocked).map((row) => row.author_key));
    const last = page.at(-1);
    if (last === undefined || page.length < AUTHORS_A_PAGE) break;
    after = last.author_key;
  }
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM post WHERE approved IS NULL AND author_key = ANY (${blocked}::text[])
    UNION
    SELECT id FROM post WHERE approved IS NULL AND related <> '{}' AND accounts_blocked(related) ORDER BY id`;
  return rows.map((row) => row.id);
}

/** By tags of the post or the hashtag of its stream. */
export async function unreviewedWithBlockedHashtags(): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM post
     WHERE approved IS NULL AND (hashtags_folded && ARRAY(SELECT hashtag_folded FROM blocked_hashtag)
                                 OR related && ARRAY(SELECT hashtag_folded FROM blocked_hashtag))
    UNION
    SELECT id FROM post
     WHERE approved IS NULL AND stream_hashtag_folded IN (SELECT hashtag_folded FROM blocked_hashtag)
     ORDER BY id`;
  return rows.map((row) => row.id);
}
