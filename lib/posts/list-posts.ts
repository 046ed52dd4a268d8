import { toIso } from "#lib/clock.ts";
import type { PostList, PostQuery } from "./schema.ts";
import { serializePost } from "./serialize.ts";
import { listRows } from "./sql.ts";

/** One page of posts and how many match, both of the same moment. */
export async function listPosts(query: PostQuery): Promise<PostList> {
  const { rows, total, total_is_more, searched_until, search_after } = await listRows(query);
  const items = rows.map((row) => serializePost(row, row));
  return {
    items,
    total,
    ...(total_is_more ? { total_is_more } : {}),
    ...(searched_until ? { searched_until: toIso(searched_until) } : {}),
    ...(search_after === null ? {} : { search_after }),
    skip: query.skip,
    limit: query.limit,
  };
}
