import { db } from "#lib/db.ts";

const AUTHORS_AT_ONCE = 2_000;

/**
 * Unreviewed posts whose author is blocked now, by id. The distinct authors are walked through the index, so each
 * is judged once however much they wrote.
 */
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
      ), page AS MATERIALIZED (SELECT author_key FROM walk WHERE author_key IS NOT NULL LIMIT ${AUTHORS_AT_ONCE})
      SELECT author_key, user_blocked(author_key) AS blocked FROM page`;
    blocked.push(...page.filter((row) => row.blocked).map((row) => row.author_key));
    const last = page.at(-1);
    if (last === undefined || page.length < AUTHORS_AT_ONCE) break;
    after = last.author_key;
  }
  if (blocked.length === 0) return [];
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM post WHERE approved IS NULL AND author_key = ANY (${blocked}::text[]) ORDER BY id`;
  return rows.map((row) => row.id);
}

/** Unreviewed posts that carry a hashtag blocked now, or came by a stream of one, by id. */
export async function unreviewedWithBlockedHashtags(): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM post
     WHERE approved IS NULL AND hashtags_folded && ARRAY(SELECT hashtag_folded FROM blocked_hashtag)
    UNION
    SELECT id FROM post
     WHERE approved IS NULL AND stream_hashtag_folded IN (SELECT hashtag_folded FROM blocked_hashtag)
     ORDER BY id`;
  return rows.map((row) => row.id);
}
