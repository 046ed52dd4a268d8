import { isDeepStrictEqual } from "node:util";
import { normaliseUnicode } from "#lib/base/unicode-text.ts";
import type { NormalisedMedia } from "#lib/fediverse/normalise-status.ts";
import { plainTextOf } from "#lib/fediverse/post-text.ts";
import type { IngestRow } from "./post-row.ts";

/** Fields that are shown but do not matter to a decision. */
const otherFields = [
  "url", "author_display_name", "author_account", "author_url", "author_avatar_url", "author_is_bot", "author_locked",
  "hashtags", "language", "sensitive", "quote", "card", "emojis", "consent",
] as const; // prettier-ignore

type Counters = Pick<IngestRow, "boosts" | "likes" | "replies">;

/** The columns of `post` that are compared. */
export type PostContent = Counters &
  Pick<
    IngestRow,
    "from_home" | "edited_at" | "content" | "plain_text" | "spoiler_text" | "media" | "poll" | "sensitive"
  > &
  Partial<Pick<IngestRow, (typeof otherFields)[number]>>;

/**
 * Kind of a change, counters apart.
 *
 * - `refresh`: the change does not matter to a decision.
 * - `edit`: the home server shows another text, warning, sensitive mark, medium, alt text or poll. This raises
 *   `post.version` and voids an approval.
 * - `differs`: another server's copy differs, so the home server must be asked.
 */
export type ChangeKind = "none" | "refresh" | "edit" | "differs";

/** Compares a post with its stored version; see docs/fediverse.md#which-server-is-believed. */
export function judgeChange(stored: PostContent, seen: PostContent): ChangeKind {
  if (!seen.from_home) return isDoubtful(stored, seen) ? "differs" : "none";
  // A cache may return the version before a known edit.
  if (isOlderVersion(stored, seen)) return "none";
  if (isEdited(stored, seen)) return "edit";
  return isSame(stored, seen) ? "none" : "refresh";
}

/** @param seen the version of the home server */
export function isOlderVersion(stored: PostContent, seen: PostContent): boolean {
  return stored.from_home && isLater(stored.edited_at, seen.edited_at);
}

/** @param seen the version of the home server */
function isEdited(stored: PostContent, seen: PostContent): boolean {
  if (hasOtherText(stored, seen) || hasOtherPollOrLinks(stored, seen)) return true;
  if (isLater(seen.edited_at, stored.edited_at) && hasOtherMarkup(stored, seen)) return true;
  // Each server stores its own files and may mark a copy as sensitive, so both are compared within the home server only.
  return stored.from_home ? hasOtherFiles(stored, seen) : isNewlyMarked(stored, seen);
}

/** Counters to store. Other servers know only a part of the counts, so they can only raise them. */
export function countersAfter(stored: Counters, seen: PostContent): Counters {
  const figure = (key: keyof Counters) => (seen.from_home ? seen[key] : Math.max(stored[key], seen[key]));
  return { boosts: figure("boosts"), likes: figure("likes"), replies: figure("replies") };
}

export function countersDiffer(a: Counters, b: Counters): boolean {
  return a.boosts !== b.boosts || a.likes !== b.likes || a.replies !== b.replies;
}

/** Whether another server's copy differs. Once the home server was read, only a later edit counts. */
function isDoubtful(stored: PostContent, seen: PostContent): boolean {
  if (stored.from_home && !isLater(seen.edited_at, stored.edited_at)) return false;
  return hasOtherText(stored, seen);
}

/** Compares what a reader sees; ignores differences in rendering. */
function hasOtherText(stored: PostContent, seen: PostContent): boolean {
  return (
    (stored.content !== seen.content && isOtherText(writtenText(stored), writtenText(seen))) ||
    isOtherText(stored.spoiler_text ?? "", seen.spoiler_text ?? "") ||
    stored.media.length !== seen.media.length ||
    stored.media.some((medium, index) => isOtherMedium(medium, seen.media[index]))
  );
}

/** Compares markup and addresses of files, which count only with a later edit time. */
function hasOtherMarkup(stored: PostContent, seen: PostContent): boolean {
  return stored.content !== seen.content || differ(stored, seen, ({ media }) => media.map(({ url }) => url));
}

function differ(stored: PostContent, seen: PostContent, of: (words: PostContent) => unknown): boolean {
  return !isDeepStrictEqual(of(stored), of(seen));
}

/** Compares polls and hidden links, which are the same on each server. */
function hasOtherPollOrLinks(stored: PostContent, seen: PostContent): boolean {
  return (
    differ(stored, seen, ({ poll }) => poll?.options.map(({ title }) => textKey(title)) ?? []) ||
    (stored.content !== seen.content && differ(stored, seen, hiddenAddresses))
  );
}

/** Compares two readings of the home server. By file name, because a server may move its files to another host. */
function hasOtherFiles(stored: PostContent, seen: PostContent): boolean {
  return stored.sensitive !== seen.sensitive || differ(stored, seen, ({ media }) => media.map(fileName));
}

/** Whether the post has become sensitive without a warning: the reviewer saw neither. */
function isNewlyMarked(stored: PostContent, seen: PostContent): boolean {
  return seen.sensitive && !stored.sensitive && (seen.spoiler_text ?? "") === "";
}

function isSame(stored: PostContent, seen: PostContent): boolean {
  const keys = ["from_home", "edited_at", "content", "media", "poll", ...otherFields] as const;
  return !differ(stored, seen, (words) => keys.map((key) => words[key]));
}

function isLater(a: string | null, b: string | null): boolean {
  return a !== null && (b === null || a > b);
}

/** Compares normalised texts. Equal ones are not normalised, because that takes a while. */
function isOtherText(stored: string, seen: string): boolean {
  return stored !== seen && textKey(stored) !== textKey(seen);
}

/** Text for comparisons, without what depends on the software: white space, hosts of mentions, schemes of addresses. */
function textKey(text: string): string {
  return normaliseUnicode(text, "NFC")
    .replace(/(@[\w.-]+)@[\w.-]+/gu, "$1")
    .replace(/https?:\/\/(?:www\.)?/g, "")
    .replace(/[\s\u200b-\u200d\ufeff]+/gu, "");
}

/** Compares type and alt text. Addresses of files differ between servers. */
function isOtherMedium(stored: NormalisedMedia, seen: NormalisedMedia | undefined): boolean {
  const types = [stored, seen].map((medium) => (medium?.type === "gifv" ? "video" : medium?.type));
  // Mastodon states the type "unknown" for a file that it has not fetched.
  const isOtherType = types[0] !== types[1] && !types.includes("unknown");
  return isOtherType || (stored.description?.trim() ?? "") !== (seen?.description?.trim() ?? "");
}

function fileName({ url }: NormalisedMedia): string {
  return URL.canParse(url) ? (new URL(url).pathname.split("/").at(-1) ?? "") : url;
}

const LINK = /<a href="([^"]*)"[^>]*>(.*?)<\/a>/gs;

/** Addresses of links whose text does not show them. Without mentions and hashtags, whose addresses depend on the software. */
function hiddenAddresses({ content }: PostContent): string[] {
  return [...content.matchAll(LINK)].flatMap(([, address = "", html = ""]) => {
    const text = linkText(html);
    return /^[@#]/.test(text) || isShown(address, text) ? [] : [address];
  });
}

/** Plain text with full addresses, because only some software shortens them. */
function writtenText({ content }: PostContent): string {
  const written = content.replace(LINK, (link, address: string, html: string) =>
    isShown(address, linkText(html)) ? addressKey(address) : link,
  );
  return plainTextOf(written);
}

function linkText(html: string): string {
  return html.replace(/<[^>]*>/g, "").trim();
}

/** Whether the text of a link is its address, which may be shortened to `host/pa…`. */
function isShown(address: string, text: string): boolean {
  const shown = addressKey(text);
  const isShort = shown.length > 1 && shown.endsWith("…");
  return isShort ? addressKey(address).startsWith(shown.slice(0, -1)) : shown === addressKey(address);
}

/** Address without scheme, and without `www.`, which Mastodon hides too. */
function addressKey(address: string): string {
  return address.replace(/^https?:\/\/(?:www\.)?/, "").replace(/\/$/, "");
}
