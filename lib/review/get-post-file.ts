import { findPostBlocks } from "#lib/filters/find-blocks.ts";
import { authorKey } from "#lib/fediverse/account.ts";
import { getPost } from "#lib/posts/get-post.ts";
import { authorHistoryRows } from "./author-sql.ts";
import { editRows } from "./deck-sql.ts";
import { editOf, serializeAuthorHistory } from "./get-deck.ts";
import type { PostFile } from "./deck-schema.ts";

/**
 * A post with its whole life and what a card says about its author: its page.
 * @throws post_not_found
 */
export async function getPostFile(id: number): Promise<PostFile> {
  const post = await getPost(id);
  const key = authorKey(post.author_account) ?? "";
  const [blocks, [history], edits] = await Promise.all([
    findPostBlocks([id]),
    authorHistoryRows([key]),
    editRows(id),
  ]);
  return {
    ...post,
    author_history: serializeAuthorHistory(history),
    author_blocked: blocks.get(id)?.author_blocked ?? false,
    blocked_hashtags: blocks.get(id)?.blocked_hashtags ?? [],
    edits: edits.flatMap((row) => editOf(row) ?? []),
  };
}
