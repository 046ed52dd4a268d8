import type { PostList, PostQuery } from "./schema.ts";
import { serializePost } from "./serialize.ts";
import { listRows } from "./sql.ts";

/** One page of posts and how many match, both of the same moment. */
export async function listPosts(query: PostQuery): Promise<PostList> {
  const { rows, total } = await listRows(query);
  return { items: rows.map((row) => serializePost(row, row)), total, skip: query.skip, limit: query.limit };
}
