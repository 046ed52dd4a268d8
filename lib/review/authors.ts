import { isoTimes, type RowOf } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { ApiError } from "#lib/base/errors.ts";
import { findAuthorBlocks } from "#lib/blocking/find-blocks.ts";
import { authorKey } from "#lib/fediverse/account.ts";
import { decodeUri } from "#lib/fediverse/urls.ts";
import type { Author, AuthorHistory } from "./author-schema.ts";

/**
 * Stored posts of an author, decisions about them, and blocks that match. All counts are 0 for an unknown author.
 *
 * @param account the segment of the path, not decoded
 * @throws author_not_found when `account` is not `user@host`
 */
export async function getAuthor(account: string): Promise<Author> {
  const key = authorKeyOf(account);
  const [rows, blocks] = await Promise.all([
    db.$queryRaw<[RowOf<Omit<Author, "blocked_by" | "opt_out">>]>`
      SELECT n.*, coalesce(l.author_account, '@' || ${key}) AS account, nullif(l.author_display_name, '') AS display_name,
             l.author_url AS url, l.author_avatar_url AS avatar_url, coalesce(l.author_is_bot, false) AS is_bot
        FROM (SELECT count(*)::int AS posts, count(*) FILTER (WHERE approved)::int AS approved,
                     count(*) FILTER (WHERE NOT approved)::int AS rejected,
                     count(*) FILTER (WHERE NOT approved AND auto_reject_reason IS NOT NULL)::int AS auto_rejected,
                     count(*) FILTER (WHERE approved IS NULL)::int AS unreviewed,
                     min(created_at) AS first_post_at, max(created_at) AS last_post_at
                FROM post WHERE author_key = ${key}) n
        LEFT JOIN LATERAL (SELECT * FROM post WHERE author_key = ${key} ORDER BY created_at DESC, id DESC LIMIT 1) l ON true`,
    findAuthorBlocks(key),
  ]);
  return { ...isoTimes(rows[0]), ...blocks };
}

/** Posts that are counted for each author: the newest ones, so that prolific authors do not slow the deck. */
const MAX_COUNTED = 1000;

/** Earlier decisions by author key. Each of these authors has an entry. */
export async function authorHistories(authorKeys: string[]): Promise<Map<string, AuthorHistory>> {
  const rows = await db.$queryRaw<(AuthorHistory & { author_key: string })[]>`
    SELECT k.author_key, s.stored, n.approved, n.rejected, n.auto_rejected
      FROM unnest(${authorKeys}::text[]) k (author_key), LATERAL (
        SELECT count(*)::int AS stored
          FROM (SELECT FROM post p WHERE p.author_key = k.author_key LIMIT ${MAX_COUNTED}) counted) s, LATERAL (
        SELECT count(*) FILTER (WHERE approved)::int AS approved, count(*) FILTER (WHERE NOT approved)::int AS rejected,
               count(*) FILTER (WHERE NOT approved AND auto_reject_reason IS NOT NULL)::int AS auto_rejected
          FROM (SELECT approved, auto_reject_reason FROM post p WHERE p.author_key = k.author_key AND approved IS NOT NULL
                 ORDER BY created_at DESC, id DESC LIMIT ${MAX_COUNTED}) counted) n`;
  return new Map(rows.map(({ author_key: key, ...history }) => [key, history]));
}

/**
 * @throws author_not_found
 */
function authorKeyOf(account: string): string {
  // Next.js passes path segments undecoded. Account names contain no percent sign.
  const key = authorKey(decodeUri(account));
  if (key === null || key.includes("\0")) throw new ApiError("author_not_found");
  return key;
}
