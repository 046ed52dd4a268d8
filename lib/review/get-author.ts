import { toIso } from "#lib/clock.ts";
import { findAuthorBlocks } from "#lib/filters/find-blocks.ts";
import { ApiError } from "#lib/errors.ts";
import { authorKey } from "#lib/fediverse/account.ts";
import { pickEmojis } from "#lib/fediverse/emojis.ts";
import { authorDecisionRows, authorRow } from "./author-sql.ts";
import type { Author, Standing } from "./author-schema.ts";

/** Decisions shown with an author. */
const LAST_DECISIONS = 20;

/** The author a path names, as posts are keyed. @throws author_not_found when it is no account */
export function authorKeyOf(account: string): string {
  // Next hands over path segments as they were sent; a name has no percent sign of its own.
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

/**
 * What an author has had decided here, how they stand, and what keeps them out. Somebody nobody has seen yet has an empty history: a
 * standing may be given in advance.
 * @throws author_not_found when `account` is not `user@host`
 */
export async function getAuthor(account: string): Promise<Author> {
  const key = authorKeyOf(account);
  const [row, decisions, blocks] = await Promise.all([
    authorRow(key),
    authorDecisionRows(key, LAST_DECISIONS),
    findAuthorBlocks(key),
  ]);
  return {
    account: row.account ?? `@${key}`,
    display_name: row.display_name || null,
    url: row.url,
    avatar_url: row.avatar_url,
    is_bot: row.is_bot ?? false,
    posts: row.posts,
    approved: row.approved,
    rejected: row.rejected,
    auto_rejected: row.auto_rejected,
    unreviewed: row.unreviewed,
    first_post_at: toIso(row.first_post_at),
    last_post_at: toIso(row.last_post_at),
    standing: (row.standing ?? "none") as Standing,
    standing_set_by: row.set_by,
    standing_set_at: toIso(row.set_at),
    ...blocks,
    last_decisions: decisions.map((decision) => ({
      ...decision,
      reviewed_at: toIso(decision.reviewed_at),
      emojis: pickEmojis(decision.emojis, [decision.snippet]),
    })),
  };
}
