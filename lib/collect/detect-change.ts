import { isDeepStrictEqual } from "node:util";
import { normaliseUnicode } from "#lib/base/unicode-text.ts";
import type { NormalisedMedia } from "#lib/fediverse/normalise-status.ts";
import { plainTextOf } from "#lib/fediverse/post-text.ts";
import type { IngestRow } from "./post-row.ts";

/** Shown, but no basis of a decision. */
const rest = [
  "url", "author_display_name", "author_account", "author_url", "author_avatar_url", "author_is_bot", "author_locked",
  "hashtags", "language", "sensitive", "quote", "card", "emojis", "consent",
] as const; // prettier-ignore

type Counters = Pick<IngestRow, "boosts" | "likes" | "replies">;

/** Of a row of `post`. */
export type PostWords = Counters &
  Pick<
    IngestRow,
    "from_home" | "edited_at" | "content" | "plain_text" | "spoiler_text" | "media" | "poll" | "sensitive"
  > &
  Partial<Pick<IngestRow, (typeof rest)[number]>>;

/**
 * The change of a post, counters apart. `refresh`: no change that matters to a decision. `edit`: the home server shows another text, warning, sensitive mark,
 * medium, alt text or poll, which raises `post.version` and voids an approval. `differs`: another server's copy
 * differs, so the home server must be asked.
 */
export type ChangeKind = "none" | "refresh" | "edit" | "differs";

/** docs/fediverse.md#which-server-is-believed */
export function judgeChange(stored: PostWords, seen: PostWords): ChangeKind {
  if (!seen.from_home) return isDoubtful(stored, seen) ? "differs" : "none";
  // A cache may return the version before a known edit.
  if (isOlderVersion(stored, seen)) return "none";
  if (isEdited(stored, seen)) return "edit";
  return isSame(stored, seen) ? "none" : "refresh";
}

/** @param seen at home */
export function isOlderVersion(stored: PostWords, seen: PostWords): boolean {
  return stored.from_home && isLater(stored.edited_at, seen.edited_at);
}

/** @param seen at home */
function isEdited(stored: PostWords, seen: PostWords): boolean {
  if (saysElse(stored, seen) || asksOrLinksElse(stored, seen)) return true;
  if (isLater(seen.edited_at, stored.edited_at) && showsElse(stored, seen)) return true;
  // Each server stores its own files and may mark a copy as sensitive, so both are compared within the home server only.
  return stored.from_home ? attachesElse(stored, seen) : isNewlyMarked(stored, seen);
}

/** Other servers see a part of the counts and can only raise them. */
export function countersAfter(stored: Counters, seen: PostWords): Counters {
  const figure = (key: keyof Counters) => (seen.from_home ? seen[key] : Math.max(stored[key], seen[key]));
  return { boosts: figure("boosts"), likes: figure("likes"), replies: figure("replies") };
}

export function countersDiffer(a: Counters, b: Counters): boolean {
  return a.boosts !== b.boosts || a.likes !== b.likes || a.replies !== b.replies;
}

/** Once the home server was read, only a later edit counts. */
function isDoubtful(stored: PostWords, seen: PostWords): boolean {
  if (stored.from_home && !isLater(seen.edited_at, stored.edited_at)) return false;
  return saysElse(stored, seen);
}

/** Ignores differences in rendering. */
function saysElse(stored: PostWords, seen: PostWords): boolean {
  return (
    (stored.content !== seen.content && isOtherText(writtenText(stored), writtenText(seen))) ||
    isOtherText(stored.spoiler_text ?? "", seen.spoiler_text ?? "") ||
    stored.media.length !== seen.media.length ||
    stored.media.some((medium, index) => isOtherMedium(medium, seen.media[index]))
  );
}

/** Counts only with a later edit time. */
function showsElse(stored: PostWords, seen: PostWords): boolean {
  return stored.content !== seen.content || differ(stored, seen, ({ media }) => media.map(({ url }) => url));
}

function differ(stored: PostWords, seen: PostWords, of: (words: PostWords) => unknown): boolean {
  return !isDeepStrictEqual(of(stored), of(seen));
}

/** Each server shows the same poll and links. */
function asksOrLinksElse(stored: PostWords, seen: PostWords): boolean {
  return (
    differ(stored, seen, ({ poll }) => poll?.options.map(({ title }) => textKey(title)) ?? []) ||
    (stored.content !== seen.content && differ(stored, seen, hiddenAddresses))
  );
}

/** Two readings of the home server, also without a time of edit. File names: a server may move its files to another host. */
function attachesElse(stored: PostWords, seen: PostWords): boolean {
  return stored.sensitive !== seen.sensitive || differ(stored, seen, ({ media }) => media.map(fileName));
}

/** A reviewer has seen neither a mark nor a warning. */
function isNewlyMarked(stored: PostWords, seen: PostWords): boolean {
  return seen.sensitive && !stored.sensitive && (seen.spoiler_text ?? "") === "";
}

function isSame(stored: PostWords, seen: PostWords): boolean {
  const keys = ["from_home", "edited_at", "content", "media", "poll", ...rest] as const;
  return !differ(stored, seen, (words) => keys.map((key) => words[key]));
}

function isLater(a: string | null, b: string | null): boolean {
  return a !== null && (b === null || a > b);
}

/** Most texts are equal, and long ones take a while to normalise. */
function isOtherText(stored: string, seen: string): boolean {
  return stored !== seen && textKey(stored) !== textKey(seen);
}

/** White space, hosts of mentions and schemes of addresses depend on the software. */
function textKey(text: string): string {
  return normaliseUnicode(text, "NFC")
    .replace(/(@[\w.-]+)@[\w.-]+/gu, "$1")
    .replace(/https?:\/\/(?:www\.)?/g, "")
    .replace(/[\s\u200b-\u200d\ufeff]+/gu, "");
}

/** File addresses differ between servers. */
function isOtherMedium(stored: NormalisedMedia, seen: NormalisedMedia | undefined): boolean {
  const types = [stored, seen].map((medium) => (medium?.type === "gifv" ? "video" : medium?.type));
  // Mastodon calls a file that it has not fetched unknown.
  const isOtherType = types[0] !== types[1] && !types.includes("unknown");
  return isOtherType || (stored.description?.trim() ?? "") !== (seen?.description?.trim() ?? "");
}

function fileName({ url }: NormalisedMedia): string {
  return URL.canParse(url) ? (new URL(url).pathname.split("/").at(-1) ?? "") : url;
}

const LINK = /<a href="([^"]*)"[^>]*>(.*?)<\/a>/gs;

/** Addresses that the text of their links does not show. Those of mentions and hashtags depend on the software. */
function hiddenAddresses({ content }: PostWords): string[] {
  return [...content.matchAll(LINK)].flatMap(([, address = "", html = ""]) => {
    const text = linkText(html);
    return /^[@#]/.test(text) || isShown(address, text) ? [] : [address];
  });
}

/** The plain text with addresses in full: Mastodon shortens them, other software does not. */
function writtenText({ content }: PostWords): string {
  const written = content.replace(LINK, (link, address: string, html: string) =>
    isShown(address, linkText(html)) ? addressKey(address) : link,
  );
  return plainTextOf(written);
}

function linkText(html: string): string {
  return html.replace(/<[^>]*>/g, "").trim();
}

/** Whether a link shows its address, maybe shortened to `host/pa…`. */
function isShown(address: string, text: string): boolean {
  const shown = addressKey(text);
  const isShort = shown.length > 1 && shown.endsWith("…");
  return isShort ? addressKey(address).startsWith(shown.slice(0, -1)) : shown === addressKey(address);
}

/** Mastodon hides `www.`, too. */
function addressKey(address: string): string {
  return address.replace(/^https?:\/\/(?:www\.)?/, "").replace(/\/$/, "");
}
