import { db } from "#lib/db.ts";
import type { ListedPost } from "#lib/queue/overview-schema.ts";
import { upcomingPosts } from "#lib/queue/queue-overview.ts";
import { readPosts } from "./read-posts.ts";
import type { Post } from "./schema.ts";
import { serializePost } from "./serialize.ts";

export type UpcomingPost = ListedPost & Pick<Post, "media_attachments" | "media_covered">;

/** The posts that consumers get next, in order, with their media. */
export async function listUpcomingPosts(limit: number): Promise<UpcomingPost[]> {
  const upcoming = await upcomingPosts(limit);
  const rows = await readPosts(
    db,
    upcoming.map((post) => post.post_id),
  );
  return upcoming.flatMap((post) => {
    const row = rows.get(post.post_id);
    // Deleted in between.
    if (row === undefined) return [];
    const { media_attachments, media_covered } = serializePost(row, row, { kind: "member" });
    return { ...post, media_attachments, media_covered };
  });
}
