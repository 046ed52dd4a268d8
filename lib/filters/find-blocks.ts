import { toIso } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import {
  authorBlockRows,
  postBlockRows,
  unreviewedOfBlockedUsers,
  unreviewedWithBlockedHashtags,
} from "./find-blocks-sql.ts";
import type { BlockedUser, BlockKind } from "./schema.ts";

/** Patterns that match an author, and the author's open opt-out report. */
export interface AuthorBlocks {
  blocked_by: Pick<BlockedUser, "id" | "account_identifier" | "pattern_type">[];
  opt_out: { reason: string; reported_at: string } | null;
}

/** Block-list entries that match a post. */
export interface PostBlocks {
  author_blocked: boolean;
  /** As written in the post. */
  blocked_hashtags: string[];
}

/**
 * Block-list entries that match this author.
 * @param authorKey `user@host` in lower case
 */
export async function findAuthorBlocks(authorKey: string): Promise<AuthorBlocks> {
  const [blocked_by, report] = await Promise.all([
    authorBlockRows(authorKey),
    db.reported_opt_out.findFirst({
      where: { author_key: authorKey, resolved_at: null },
      select: { reason: true, reported_at: true },
    }),
  ]);
  return { blocked_by, opt_out: report && { reason: report.reason, reported_at: toIso(report.reported_at) } };
}

/** Block-list entries that match each of these posts. */
export async function findPostBlocks(ids: number[]): Promise<Map<number, PostBlocks>> {
  const rows = ids.length === 0 ? [] : await postBlockRows(ids);
  return new Map(rows.map(({ id, ...blocks }) => [id, blocks]));
}

/** Finds the ids of unreviewed posts that a list blocks now. */
export const findUnreviewedBlocked: Record<BlockKind, () => Promise<number[]>> = {
  user: unreviewedOfBlockedUsers,
  hashtag: unreviewedWithBlockedHashtags,
};
