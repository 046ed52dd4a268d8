import { postBlockRows } from "./post-blocks-sql.ts";

/** What of a post is on the block lists. */
export interface PostBlocks {
  author_blocked: boolean;
  /** As the post wrote them. */
  blocked_hashtags: string[];
}

/** Marks for review cards: of each post, whether its author is blocked and which of its hashtags are. */
export async function findPostBlocks(ids: number[]): Promise<Map<number, PostBlocks>> {
  const rows = ids.length === 0 ? [] : await postBlockRows(ids);
  return new Map(rows.map(({ id, ...blocks }) => [id, blocks]));
}
