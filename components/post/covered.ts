import type { Cover } from "#components/ui/media-thumb.tsx";
import * as words from "#components/words/desk.ts";
import type { Post } from "#lib/review/post-schema.ts";

/** The server says which media start covered; each member chooses how. */
export function coverOf(post: { media_covered: boolean }, preference: Cover): Cover {
  return post.media_covered ? preference : "off";
}

/** Shown on the cover. Hidden advice names no result. */
export function coverReason({
  spoiler_text,
  sensitive,
  vision_category,
}: Pick<Post, "spoiler_text" | "sensitive" | "vision_category">): string {
  if (spoiler_text !== null) return words.post.contentWarning;
  if (sensitive) return words.post.sensitive;
  const isNamed = vision_category !== null && !harmless.has(vision_category);
  return isNamed
    ? words.media.checkSays(words.review.pictureCategories[vision_category] ?? vision_category)
    : words.media.upsetting;
}

const harmless: ReadonlySet<string> = new Set(["drawing", "neutral", "none", "unavailable"]);
