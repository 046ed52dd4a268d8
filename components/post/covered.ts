import type { Cover } from "#components/ui/media-thumb.tsx";

interface Coverable {
  sensitive: boolean;
  spoiler_text: string | null;
  vision_category: string | null;
}

/** Labels of the picture check that a reviewer should not be met by unprepared (lib/classify). */
const upsetting = new Set([
  "explicit",
  "explicit_drawing",
  "suggestive",
  "uncertain",
  "graphic",
  "hateful",
  "other_unsafe",
]);

/** Whether a post's media start covered: its author marked them, or the picture check is not sure of them. */
export function startsCovered(post: Coverable): boolean {
  return post.sensitive || post.spoiler_text !== null || upsetting.has(post.vision_category ?? "");
}

/** How a post's media are shown at first. `preference` is the reviewer's own. */
export function coverOf(post: Coverable, preference: Cover): Cover {
  return startsCovered(post) ? preference : "off";
}
