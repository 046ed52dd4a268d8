import { listPosts } from "./list-posts.ts";
import { PostQuery, type PostList } from "./schema.ts";

/** What GET /posts answers to a query, for pages; null for one it would refuse, so that the screen can say why. */
export async function listPostsOfQuery(query: string): Promise<PostList | null> {
  const parsed = PostQuery.safeParse(Object.fromEntries(new URLSearchParams(query)));
  return parsed.success ? listPosts(parsed.data) : null;
}
