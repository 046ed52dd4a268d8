import type { LearnerReason } from "#lib/checks/results/raw-checks.ts";
import { ALL, weightOf, type Counts, type Numbered } from "./counts.ts";

/** Features that are kept as reasons of a prediction. */
const MAX_REASONS = 6;
/** One review is no evidence. */
const MIN_REVIEWED = 2;

/**
 * The features of a post with the most influence on its score, and their counts; those for a rejection first. Without what
 * most reviewed posts have in common: it says nothing about this one.
 *
 * @param names of the features, in their order
 */
export function explain(
  { features, author, instance }: Numbered,
  names: readonly string[],
  host: string,
  counts: Counts,
): LearnerReason[] {
  const all = counts.get(ALL) ?? { reviewed: 0, rejected: 0 };
  const reasonOf = (feature: string, number: number, scale: number): LearnerReason => {
    const count = counts.get(number) ?? { reviewed: 0, rejected: 0 };
    return { feature, weight: Math.round(1e4 * scale * weightOf(count, all)) / 1e4, ...count };
  };
  const scale = 1 / Math.sqrt(Math.max(1, features.length));
  return [
    ...features.map((number, i) => reasonOf(names[i] ?? "", number, scale)),
    reasonOf("author:", author, 1),
    reasonOf(`instance:${host}`, instance, 1),
  ]
    .filter(({ feature, weight, reviewed }) => {
      const common = feature !== "author:" && 2 * reviewed > all.reviewed;
      return weight !== 0 && reviewed >= MIN_REVIEWED && !common;
    })
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .slice(0, MAX_REASONS)
    .sort((a, b) => b.weight - a.weight);
}

const MAX_SENTENCES = 3;
/** Share of the strongest influence; a weaker one is no reason. */
const MIN_SHARE = 0.2;
const MAX_QUOTE = 40;
/** A word of one letter explains nothing; a word of one ideograph does. */
const LETTER = /^word:[\p{Ll}\p{N}]$/u;

/**
 * At most three sentences with exact counts, the strongest first.
 *
 * @param reasons of one sign
 */
export function reasonSentences(reasons: readonly LearnerReason[]): string[] {
  const strongest = reasons.toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  const min = MIN_SHARE * Math.abs(strongest[0]?.weight ?? 0);
  return strongest
    .flatMap(({ feature, weight, reviewed, rejected }) => {
      const colon = feature.indexOf(":");
      const describe = POSTS[feature.slice(0, colon)];
      const agreeing = weight > 0 ? rejected : reviewed - rejected;
      if (describe === undefined || agreeing === 0 || Math.abs(weight) < min || LETTER.test(feature))
        return [];
      const verb = weight > 0 ? "rejected" : "approved";
      return [`You ${verb} ${agreeing} of ${reviewed} ${describe(feature.slice(colon + 1))}.`];
    })
    .slice(0, MAX_SENTENCES);
}

const languages = new Intl.DisplayNames("en", { type: "language", fallback: "code" });

/** Kinds without an entry are not explained: they say too little. */
const POSTS: Readonly<Partial<Record<string, (value: string) => string>>> = {
  author: () => "posts by this author",
  instance: (host) => `posts from ${quote(host)}`,
  stream: (name) => `posts of the stream ${quote(name)}`,
  language: (tag) => `posts in ${languageOf(tag)}`,
  word: (word) => `posts with the word ${quote(word)}`,
  tag: (tag) => `posts with the hashtag ${quote(`#${tag}`)}`,
  link: (host) => `posts with a link to ${quote(host)}`,
  media: (kind) => `posts with an attachment of type ${quote(kind)}`,
  rule: (name) => `posts with the finding ${quote(name.replaceAll("_", " "))}`,
  alt: (value) => (value === "yes" ? "posts with alt text" : "posts with media but without alt text"),
  sensitive: () => "posts marked as sensitive",
  bot: () => "posts by accounts marked as bots",
  reply: () => "replies",
  tags: (range) => `posts with ${plural(range, "hashtag")}`,
  links: (range) => `posts with ${plural(range, "link")}`,
  mentions: (range) => `posts with ${plural(range, "mention")}`,
  age: (range) => `posts by accounts ${range === "0" ? "less than a day" : plural(range, "day")} old`,
  capitals: (range) => `posts with ${spell(range)} % capital letters`,
  exclamations: (range) => `posts with ${plural(range, "exclamation mark")}`,
};

/** The language comes from untrusted input. */
function languageOf(tag: string): string {
  try {
    return languages.of(tag) ?? quote(tag);
  } catch {
    return `the language ${quote(tag)}`;
  }
}

function plural(range: string, one: string): string {
  return `${spell(range)} ${one}${range === "1" ? "" : "s"}`;
}

/** "3-5" → "3 to 5", "20+" → "20 or more". */
function spell(range: string): string {
  return range.replace("-", " to ").replace("+", " or more");
}

function quote(text: string): string {
  const characters = [...text];
  return `“${characters.length > MAX_QUOTE ? `${characters.slice(0, MAX_QUOTE).join("")}…` : text}”`;
}
