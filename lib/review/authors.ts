import { toIso } from "#lib/base/clock.ts";
import { ApiError } from "#lib/base/errors.ts";
import { findAuthorBlocks } from "#lib/blocking/find-blocks.ts";
import { authorKey } from "#lib/fediverse/account.ts";
import { authorRow, type AuthorHistoryRow } from "./author-sql.ts";
import type { Author, AuthorHistory } from "./author-schema.ts";

/**
 * Empty for an author without posts.
 *
 * @param account undecoded path segment
 * @throws author_not_found when `account` is not `user@host`
 */
export async function getAuthor(account: string): Promise<Author> {
  const key = authorKeyOf(account);
  const [row, blocks] = await Promise.all([authorRow(key), findAuthorBlocks(key)]);
  return {
    ...row,
    account: row.account ?? `@${key}`,
    display_name: row.display_name || null,
    is_bot: row.is_bot ?? false,
    first_post_at: toIso(row.first_post_at),
    last_post_at: toIso(row.last_post_at),
    ...blocks,
  };
}

export function serializeAuthorHistory(row: AuthorHistoryRow | undefined): AuthorHistory {
  return {
    stored: row?.stored ?? 0,
    approved: row?.approved ?? 0,
    rejected: row?.rejected ?? 0,
    auto_rejected: row?.auto_rejected ?? 0,
  };
}

/**
 * @throws author_not_found
 */
function authorKeyOf(account: string): string {
  // Next.js passes path segments undecoded. Account names contain no percent sign.
  const decoded = /%[0-9a-f]{2}/i.test(account) ? safeDecode(account) : account;
  const key = authorKey(decoded);
  if (key === null || key.includes("\0")) throw new ApiError("author_not_found");
  return key;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
