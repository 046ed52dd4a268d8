import { pictureCategories } from "#components/words.ts";
import type { Cover } from "#components/ui/media-thumb.tsx";
import type { Post } from "#lib/review/post-schema.ts";

/** How media of a post start: the server decides whether they are covered, the member how. */
export function coverOf(post: { media_covered: boolean }, preference: Cover): Cover {
  return post.media_covered ? preference : "off";
}

/** Text on the cover. */
export function coverReason({
  spoiler_text,
  sensitive,
  vision_category,
}: Pick<Post, "spoiler_text" | "sensitive" | "vision_category">): string {
  if (spoiler_text !== null) return "Content warning";
  if (sensitive) return "Marked sensitive";
  const isNamed = vision_category !== null && !harmless.has(vision_category);
  return isNamed
    ? `Picture check: ${(pictureCategories[vision_category] ?? vision_category).toLowerCase()}`
    : "May be upsetting";
}

const harmless: ReadonlySet<string> = new Set(["drawing", "neutral", "none", "unavailable"]);
