import { hash as digest } from "node:crypto";
import { normaliseUnicode } from "#lib/base/unicode-text.ts";
import { accountAge, type PostTextRow } from "#lib/checks/results/post-text.ts";
import type { RawRule } from "#lib/checks/results/raw-checks.ts";
import type { TextFacts } from "#lib/checks/rules/read-text.ts";

/** Known when a post is fetched. Author and instance have counts of their own. */
export interface FeatureInput {
  /** Sanitised. */
  html: string;
  /** Plain text. */
  text: string;
  hashtags: readonly string[];
  /** Addresses. */
  links: readonly string[];
  stream: string | null;
  /** BCP 47. */
  language: string | null;
  /** Kind of each attachment: "image", "video", … */
  media: readonly string[];
  has_alt_text: boolean;
  sensitive: boolean;
  is_bot: boolean;
  account_age_days: number | undefined;
  is_reply: boolean;
  mentions: number;
  /** 0–1. */
  capitals_share: number;
  exclamations: number;
  /** Names of the rules that apply. */
  rules: readonly string[];
}

/** Limit for one post. Text comes last, so a long post loses the end of its text. */
export const MAX_FEATURES = 400;
/** Characters of a text that are read; also the limit of the time for one post. */
const MAX_TEXT = 10_000;
const LONGEST_WORD = 64;
const LONGEST_NAME = 200;
/** Entries that are read of each list of a post. */
const MAX_LIST_LENGTH = 30;

const ADDRESS = /https?:\/\/\S+/g;
const MENTION = /@[\p{L}\p{N}_]+(?:[.@-]+[\p{L}\p{N}_]+)*/gu;
const EMOJI = /^\p{Extended_Pictographic}/u;
const MARKUP = { quote: "<blockquote", code: "<code", list: "<li" } as const;

const segmenter = new Intl.Segmenter("und", { granularity: "word" });

/**
 * Names such as "word:giveaway", "tag:moss", "link:shop.example". Presence only, distinct, at most `MAX_FEATURES`, in a
 * fixed order. Linear time. No pairs of words: a text could be put together from them.
 */
export function featureNames(input: FeatureInput): string[] {
  const names = new Set<string>();
  addMetadata(names, input);
  addWords(names, wordsOf(input.text));
  return [...names];
}

function addMetadata(names: Set<string>, input: FeatureInput): void {
  add(names, "stream", [input.stream ?? ""]);
  add(names, "language", [input.language ?? ""]);
  add(names, "tag", input.hashtags);
  add(names, "link", input.links.slice(0, MAX_LIST_LENGTH).map(hostOf));
  add(names, "media", input.media);
  add(names, "rule", input.rules);
  if (input.media.length > 0) names.add(input.has_alt_text ? "alt:yes" : "alt:no");
  if (input.sensitive) names.add("sensitive:yes");
  if (input.is_bot) names.add("bot:yes");
  if (input.is_reply) names.add("reply:yes");
  addRange(names, "age", Math.max(0, Math.floor(input.account_age_days ?? NaN)), [0, 1, 3, 7, 30, 365]);
  addRange(names, "tags", input.hashtags.length, [1, 2, 4, 7, 12, 20]);
  addRange(names, "links", input.links.length, [1, 2, 3, 6]);
  addRange(names, "mentions", input.mentions, [1, 2, 3, 6, 10]);
  addRange(names, "attachments", input.media.length, [1, 2, 4]);
  addRange(names, "exclamations", input.exclamations, [1, 2, 3, 6]);
  addRange(names, "capitals", Math.floor(input.capitals_share * 100), [5, 10, 20, 40, 70]);
  for (const [markup, tag] of Object.entries(MARKUP)) {
    if (input.html.includes(tag)) names.add(`markup:${markup}`);
  }
}

function add(names: Set<string>, kind: string, values: readonly string[]): void {
  for (const value of values.slice(0, MAX_LIST_LENGTH)) {
    if (value !== "")
      names.add(`${kind}:${normaliseUnicode(value.slice(0, LONGEST_NAME), "NFKC").toLowerCase()}`);
  }
}

/**
 * "links:1", "links:3-5" or "links:6+". Nothing below the first range: a feature of nearly all posts says nothing about
 * one of them (without such features the AUC after 30 to 100 short posts was 0.88 instead of 0.86).
 *
 * @param starts first values of the ranges
 */
function addRange(names: Set<string>, kind: string, value: number, starts: readonly number[]): void {
  const index = starts.findLastIndex((start) => start <= value);
  const from = starts[index];
  const next = starts[index + 1];
  if (from === undefined) return;
  if (next === undefined) names.add(`${kind}:${from}+`);
  else names.add(next - 1 === from ? `${kind}:${from}` : `${kind}:${from}-${next - 1}`);
}

function addWords(names: Set<string>, words: readonly string[]): void {
  addRange(names, "length", words.length, [1, 4, 10, 25, 50, 100]);
  for (const word of words) {
    if (names.size === MAX_FEATURES) return;
    names.add(`word:${word}`);
  }
}

/** Without addresses and mentions, which have features of their own. Also for Japanese and Thai. */
function wordsOf(text: string): string[] {
  const bare = normaliseUnicode(text, "NFKC")
    .slice(0, MAX_TEXT)
    .toLowerCase()
    .replace(ADDRESS, " ")
    .replace(MENTION, " ");
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(bare)) {
    if (isWordLike || EMOJI.test(segment)) words.push(segment.slice(0, LONGEST_WORD));
  }
  return words;
}

/** Without "www."; "" when the link is no URL. */
export function hostOf(link: string): string {
  return URL.canParse(link) ? new URL(link).hostname.replace(/^www\./, "") : "";
}

/** Secret of an installation, in hexadecimal. */
export type FeatureKey = string & { readonly feature: unique symbol };

export function featureKey(secret: Uint8Array): FeatureKey {
  return Buffer.from(secret).toString("hex") as FeatureKey;
}

/**
 * Stands for a feature in the counts: 1 to 2⁵². Its hash is keyed, so that nobody outside can find a hashtag that collides
 * with another one.
 */
export function featureId(name: string, key: FeatureKey): number {
  return 1 + Number.parseInt(digest("sha256", key + name, "hex").slice(0, 13), 16);
}

/** Distinct, in the order of the names. */
export function featureIds(names: readonly string[], key: FeatureKey): number[] {
  return names.map((name) => featureId(name, key));
}

/** Names of the features that the learner sees, also of rules that are switched off. */
export function featuresOf(row: PostTextRow, text: TextFacts | null, rules: readonly RawRule[]): string[] {
  return featureNames({
    html: row.content,
    text: [row.spoiler_text ?? "", row.plain_text].join("\n"),
    hashtags: row.hashtags,
    links: text?.links ?? [],
    stream: row.stream_hashtag,
    language: row.language,
    media: row.media_types,
    has_alt_text: row.has_alt_text,
    sensitive: row.sensitive,
    is_bot: row.author_is_bot,
    account_age_days: accountAge(row),
    is_reply: row.in_reply_to !== null,
    mentions: text?.mentions ?? 0,
    capitals_share: text === null || text.cased === 0 ? 0 : text.capitals / text.cased,
    exclamations: row.plain_text.split("!").length - 1,
    rules: rules.filter((rule) => rule.reason !== null).map((rule) => rule.name),
  });
}
