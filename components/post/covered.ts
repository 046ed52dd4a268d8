import type { Cover } from "#components/ui/media-thumb.tsx";

/** The server says which media start covered; each member chooses how. */
export function coverOf(post: { media_covered: boolean }, preference: Cover): Cover {
  return post.media_covered ? preference : "off";
}
