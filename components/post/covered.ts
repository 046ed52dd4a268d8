import type { Cover } from "#components/ui/media-thumb.tsx";

interface Coverable {
  sensitive: boolean;
  spoiler_text: string | null;
  vision_category: string | null;
}

/** Picture categories that start covered. */
const upsetting = new Set([
  "explicit",
  "explicit_drawing",
  "suggestive",
  "uncertain",
  "graphic",
  "hateful",
  "other_unsafe",
]);

/** Whether a post's media start covered: marked sensitive, or flagged by the picture check. */
export function startsCovered(post: Coverable): boolean {
  return post.sensitive || post.spoiler_text !== null || upsetting.has(post.vision_category ?? "");
}

/** Initial cover of a post's media. `preference`: the reviewer's setting. */
export function coverOf(post: Coverable, preference: Cover): Cover {
  return startsCovered(post) ? preference : "off";
}
