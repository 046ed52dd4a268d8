import type { Budget } from "./budget.ts";
import { foldHashtag } from "./hashtag.ts";
import { plainTextOf } from "./post-text.ts";
import { sanitiseContent } from "./sanitise-content.ts";
import type { Account } from "./status-schema.ts";
import { decodeUri } from "./urls.ts";

/** Ends before a separator that nothing follows, as in `#nobot・`. */
const TAG = /[#＃]([\p{L}\p{M}\p{N}_·・\u200c]*[\p{L}\p{M}\p{N}])/gu;
const HREF = /href="([^"]*)"/g;
/** Format characters that would split a tag, such as a soft hyphen or a mark of direction. A zero-width non-joiner is a separator. */
const INVISIBLE = /(?!\u200c)\p{Cf}/gu;
const TAG_FOLDERS = new Set(["tag", "tags", "tagged", "hashtag", "hashtags"]);

/**
 * Folded hashtags in the text and in the link addresses (`https://any.host/tags/nobot`) of sanitised HTML.
 */
export function findTags(sanitisedHtml: string, plainText = plainTextOf(sanitisedHtml)): Set<string> {
  const tags = tagsInText(plainText);
  for (const [, href = ""] of sanitisedHtml.matchAll(HREF)) {
    for (const tag of tagsInAddress(href.replaceAll("&amp;", "&"))) tags.add(tag);
  }
  return tags;
}

/** Cache of tags by profile, because a profile comes with each post of its author. */
const profiles = new Map<string, string[]>();
const MAX_PROFILES = 2_000;
const MAX_KEPT_LENGTH = 5_000;

/** Folded hashtags in name, note and fields of a profile, which may be HTML. */
export function tagsOfProfile(
  { display_name: name, note, fields }: Pick<Account, "display_name" | "note" | "fields">,
  budget: Budget,
): string[] {
  const texts = [note ?? "", ...fields.flatMap((field) => [field.name, field.value])];
  const key = [name, ...texts].join("\0");
  const known = profiles.get(key);
  if (known !== undefined) return known;
  const found = texts.flatMap((text) => [...findTags(sanitiseContent(text, budget))]);
  const tags = [...new Set([...tagsInText(name ?? ""), ...found])];
  if (budget.left < 0 || key.length > MAX_KEPT_LENGTH) return tags;
  if (profiles.size === MAX_PROFILES) profiles.clear();
  profiles.set(key, tags);
  return tags;
}

export function tagsInText(text: string): Set<string> {
  const written = new Set(Array.from(text.replace(INVISIBLE, "").matchAll(TAG), (match) => match[1] ?? ""));
  return new Set(Array.from(written, foldHashtag));
}

/**
 * Hashtags in the address of a link: `/tags/x` (Mastodon, Misskey), `/tag/x` (Pleroma), `/discover/tags/x` (Pixelfed),
 * `/search?tag=x` (Friendica).
 */
function tagsInAddress(href: string): string[] {
  const url = URL.parse(href);
  if (url === null) return [];
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
