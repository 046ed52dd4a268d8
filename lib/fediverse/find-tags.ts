import { foldHashtag } from "./hashtag.ts";
import type { NormalisedPost } from "./normalise-status.ts";
import { plainTextOf } from "./post-text.ts";
import { decodeUri } from "./urls.ts";

const TAG = /[#＃]([\p{L}\p{M}\p{N}_·・\u200c]+)/gu;
const HREF = /href="([^"]*)"/g;
/** Invisible characters that would split a tag. */
const INVISIBLE = /\u00ad|\u200b|\u200d|\u2060|\ufeff/g;
const TAG_FOLDERS = new Set(["tag", "tags", "tagged", "hashtag", "hashtags"]);

/**
 * Folded hashtags in the text and in the link addresses (`https://any.host/tags/nobot`) of sanitised HTML.
 */
export function findTags(sanitisedHtml: string): Set<string> {
  const tags = tagsInText(plainTextOf(sanitisedHtml));
  for (const [, href = ""] of sanitisedHtml.matchAll(HREF)) {
    for (const tag of tagsInAddress(href.replaceAll("&amp;", "&"))) tags.add(tag);
  }
  return tags;
}

/** Folded, for consent and for block lists: of the list, the texts, links to tags, and the quoted post. */
export function tagsOfPost({
  hashtags_folded,
  content_html,
  spoiler_text,
  quote,
}: NormalisedPost): Set<string> {
  return new Set([
    ...hashtags_folded,
    ...findTags(content_html),
    ...tagsInText(spoiler_text),
    ...(quote === null ? [] : [...quote.tags, ...findTags(quote.content)]),
  ]);
}

export function tagsInText(text: string): Set<string> {
  const written = new Set(Array.from(text.replace(INVISIBLE, "").matchAll(TAG), (match) => match[1] ?? ""));
  return new Set(Array.from(written, foldHashtag));
}

/**
 * `/tags/x` (Mastodon, Misskey), `/tag/x` (Pleroma), `/discover/tags/x` (Pixelfed), `/search?tag=x`
 * (Friendica).
 */
function tagsInAddress(href: string): string[] {
  if (!URL.canParse(href)) return [];
  const url = new URL(href);
  const parts = url.pathname.split("/");
  const found = parts.flatMap((part, index) =>
    TAG_FOLDERS.has(part.toLowerCase()) ? (parts[index + 1] ?? []) : [],
  );
  const values = [url.searchParams.get("tag"), url.searchParams.get("q"), url.searchParams.get("search")];
  for (const value of values) {
    if (value !== null && (value.startsWith("#") || value === url.searchParams.get("tag"))) found.push(value);
  }
  return found.map((tag) => foldHashtag(decodeUri(tag))).filter((tag) => tag !== "");
}
