import { foldHashtag } from "#lib/fediverse/hashtag.ts";
import type { SimPost } from "./model.ts";

export interface TimelineQuery {
  hashtag: string;
  limit: number;
  max_id?: string | null;
  /** The newest page above this id. */
  since_id?: string | null;
  /** The next page above this id. */
  min_id?: string | null;
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
  const since = positionOf(posts, query.since_id);
  const min = positionOf(posts, query.min_id);
  const matching = posts
    .filter((post) => post.deleted === null && isShown(post))
    .filter((post) => post.hashtags.some((tag) => foldHashtag(tag) === wanted))
    .filter((post) => !query.only_media || post.media.length > 0)
    .filter((post) => max === null || isBefore(post, max) < 0)
    .filter((post) => since === null || isBefore(post, since) > 0)
    .filter((post) => min === null || isBefore(post, min) > 0)
    .sort(isBefore);
  return (min === null ? matching.slice(-query.limit) : matching.slice(0, query.limit)).reverse();
}
