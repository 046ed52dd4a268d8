import { foldHashtag } from "#lib/fediverse/hashtag.ts";
import type { SimPost } from "./model.ts";

export interface TimelineQuery {
  hashtag: string;
  limit: number;
  max_id?: string | null;
  only_media?: boolean;
}

function isBefore(a: SimPost, b: SimPost): number {
  return a.created_at.getTime() - b.created_at.getTime() || a.seq - b.seq;
}

/** Deleted posts keep their position. An unknown id filters nothing. */
function positionOf(posts: readonly SimPost[], id: string | null | undefined): SimPost | null {
  return id ? (posts.find((post) => post.id === id) ?? null) : null;
}

/** One page, newest first, with Mastodon's paging rules. */
export function selectPage(
  posts: readonly SimPost[],
  query: TimelineQuery,
  isShown: (post: SimPost) => boolean,
): SimPost[] {
  const wanted = foldHashtag(query.hashtag);
  const max = positionOf(posts, query.max_id);
  return posts
    .filter((post) => post.deleted === null && isShown(post))
    .filter((post) => post.hashtags.some((tag) => foldHashtag(tag) === wanted))
    .filter((post) => !query.only_media || post.media.length > 0)
    .filter((post) => max === null || isBefore(post, max) < 0)
    .sort(isBefore)
    .slice(-query.limit)
    .reverse();
}
