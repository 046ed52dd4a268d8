import { db } from "#lib/db.ts";
import type { ListedPost } from "#lib/queue/overview-schema.ts";
import { upcomingPosts } from "#lib/queue/queue-overview.ts";
import { readPosts } from "./read-posts.ts";
import { serializePost } from "./serialize.ts";
import type { UpcomingPost } from "./upcoming-schema.ts";

/** The posts that consumers get next, in order, with their media. */
export async function listUpcomingPosts(limit: number): Promise<UpcomingPost[]> {
  return withMedia(await upcomingPosts(limit));
}

async function withMedia(posts: ListedPost[]): Promise<UpcomingPost[]> {
  const rows = await readPosts(
    db,
    posts.map((post) => post.post_id),
  );
  return posts.flatMap((post) => {
    const row = rows.get(post.post_id);
    // Deleted in between.
    if (row === undefined) return [];
    const { media_attachments, media_covered } = serializePost(row, row);
    return { ...post, media_attachments, media_covered };
  });
}
