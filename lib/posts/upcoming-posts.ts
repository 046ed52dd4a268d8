import { db } from "#lib/db.ts";
import type { ListedPost } from "#lib/queue/overview-schema.ts";
import { postsOfConsumer, upcomingPosts } from "#lib/queue/queue-overview.ts";
import { readPosts } from "./read-posts.ts";
import { serializePost } from "./serialize.ts";
import type { UpcomingPost } from "./upcoming-schema.ts";

/** The posts that consumers get next, in order, with their media. */
export async function listUpcomingPosts(limit: number): Promise<UpcomingPost[]> {
  return withMedia(await upcomingPosts(limit));
}

/**
 * The posts that a key holds, and those that it gets next, with their media.
 *
 * @param streams of the key, empty for all; null if the key cannot take posts
 */
export async function listPostsOfConsumer(
  keyId: number,
  streams: number[] | null,
): Promise<{ holds: UpcomingPost[]; next: UpcomingPost[] }> {
  const { holds, next } = await postsOfConsumer(keyId, streams);
  const shown = await withMedia([...holds, ...next]);
  const held = new Set(holds.map((post) => post.post_id));
  return {
    holds: shown.filter((post) => held.has(post.post_id)),
    next: shown.filter((post) => !held.has(post.post_id)),
  };
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
