import { hash as digest } from "node:crypto";
import { z } from "zod";
import { normaliseUnicode } from "#lib/base/unicode-text.ts";
import { accountAge, type PostText } from "#lib/checks/results/post-text.ts";
import type { RawRule } from "#lib/checks/results/raw-checks.ts";
import type { TextFacts } from "#lib/checks/rules/read-text.ts";

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

const Attachments = z
  .array(z.object({ type: z.string().catch(""), description: z.string().nullish().catch(null) }))
  .catch([]);

/**
 * Names such as "word:giveaway", "tag:moss", "link:shop.example". Presence only, distinct, at most `MAX_FEATURES`, in a
 * fixed order. Linear time. No pairs of words: a text could be put together from them. Author and instance have counts of
 * their own.
 *
 * @param rules that apply, also those that are switched off
 */
export function featureNames(post: PostText, text: TextFacts, rules: readonly RawRule[]): string[] {
  const media = Attachments.parse(post.media);
  const words = wordsOf(`${post.spoiler_text ?? ""}\n${post.plain_text}`);
  const described = media.some(({ description }) => description) ? "alt:yes" : "alt:no";
  const names = [
    ...named("stream", [post.stream_hashtag ?? ""]),
    ...named("language", [post.language ?? ""]),
    ...named("tag", post.hashtags),
    ...named("link", text.links.slice(0, MAX_LIST_LENGTH).map(hostOf)),
    ...named(
      "media",
      media.map(({ type }) => type),
    ),
    ...named(
      "rule",
      rules.map(({ name }) => name),
    ),
    media.length > 0 && described,
    post.sensitive && "sensitive:yes",
    post.author_is_bot && "bot:yes",
    post.in_reply_to !== null && "reply:yes",
    range("age", Math.max(0, Math.floor(accountAge(post) ?? NaN)), [0, 1, 3, 7, 30, 365]),
    range("tags", post.hashtags.length, [1, 2, 4, 7, 12, 20]),
    range("links", text.links.length, [1, 2, 3, 6]),
    range("mentions", text.mentions, [1, 2, 3, 6, 10]),
    range("attachments", media.length, [1, 2, 4]),
    range("exclamations", post.plain_text.split("!").length - 1, [1, 2, 3, 6]),
    range("capitals", Math.floor((100 * text.capitals) / Math.max(1, text.cased)), [5, 10, 20, 40, 70]),
    ...Object.entries(MARKUP).map(([markup, tag]) => post.content.includes(tag) && `markup:${markup}`),
    range("length", words.length, [1, 4, 10, 25, 50, 100]),
    ...words.map((word) => `word:${word}`),
  ];
  return [...new Set(names.filter((name) => name !== false))].slice(0, MAX_FEATURES);
}

function named(kind: string, values: readonly string[]): string[] {
  return values.slice(0, MAX_LIST_LENGTH).flatMap((value) => {
    const name = normaliseUnicode(value.slice(0, LONGEST_NAME), "NFKC").toLowerCase();
    return name === "" ? [] : [`${kind}:${name}`];
  });
}

/**
 * "links:1", "links:3-5" or "links:6+". Nothing below the first range: a feature of nearly all posts says nothing about
 * one of them (without such features the AUC after 30 to 100 short posts was 0.88 instead of 0.86).
 *
 * @param starts first values of the ranges
 */
function range(kind: string, value: number, starts: readonly number[]): string | false {
  const index = starts.findLastIndex((start) => start <= value);
  const from = starts[index];
  const next = starts[index + 1];
  if (from === undefined) return false;
  if (next === undefined) return `${kind}:${from}+`;
  return next - 1 === from ? `${kind}:${from}` : `${kind}:${from}-${next - 1}`;
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
