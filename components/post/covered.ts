import type { Cover } from "#components/ui/media-thumb.tsx";

interface Coverable {
  sensitive: boolean;
  spoiler_text: string | null;
  vision_category: string | null;
}

const upsetting = new Set([
  "explicit",
  "explicit_drawing",
  "suggestive",
  "uncertain",
  "graphic",
  "hateful",
  "other_unsafe",
]);

export function startsCovered(post: Coverable): boolean {
  return post.sensitive || post.spoiler_text !== null || upsetting.has(post.vision_category ?? "");
}

export function coverOf(post: Coverable, preference: Cover): Cover {
  return startsCovered(post) ? preference : "off";
}
