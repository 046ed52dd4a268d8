import { slotOf } from "./features.ts";
import type { ModelState } from "./model.ts";

export interface Influence {
  feature: string;
  /** Positive speaks for a rejection. */
  weight: number;
}

/**
 * The features of a post with the most influence on its prediction, those for a rejection first.
 *
 * @param names of the post's own features; the model knows only slots
 */
export function explain(state: ModelState, names: readonly string[], most: number): Influence[] {
  return names
    .map((feature) => ({ feature, weight: state.weights[slotOf(feature)] ?? 0 }))
    .filter(({ weight }) => weight !== 0)
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .slice(0, most)
    .sort((a, b) => b.weight - a.weight);
}

/** Reviewed posts with a feature. */
export interface ReviewCount {
  reviewed: number;
  rejected: number;
}

const MOST_SENTENCES = 3;
/** Share of the strongest influence; a weaker one is no reason. */
const LEAST_SHARE = 0.2;
const MOST_WORDS = 3;
const LONGEST_QUOTE = 40;
/** A word of one letter, which tells reviewers nothing; one ideograph does. */
const LETTER = /^word:[\p{Ll}\p{N}]$/u;

/**
 * At most three sentences about posts, not about people, those for a rejection first.
 *
 * @param found from `explain`
 * @param counts of features; a count gives a sentence its figures, and one that contradicts it removes it
 */
export function reasonSentences(
  found: readonly Influence[],
  counts: ReadonlyMap<string, ReviewCount> = new Map(),
): string[] {
  const least = LEAST_SHARE * Math.max(...found.map(({ weight }) => Math.abs(weight)));
  const reasons = found.filter(({ feature, weight }) => Math.abs(weight) >= least && !LETTER.test(feature));
  const sides = [reasons.filter(({ weight }) => weight > 0), reasons.filter(({ weight }) => weight < 0)];
  return sides.flatMap((side) => sentencesOf(side, counts)).slice(0, MOST_SENTENCES);
}

/** `side`: features of one sign. The words share a sentence, at the place of the strongest. */
function sentencesOf(side: readonly Influence[], counts: ReadonlyMap<string, ReviewCount>): string[] {
  const verb = (side[0]?.weight ?? 0) > 0 ? "rejected" : "approved";
  const strongest = side.toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  const words = wordsIn(strongest.map(({ feature }) => feature));
  let wordsSaid = false;
  return strongest.flatMap(({ feature }) => {
    const [kind, value] = partsOf(feature);
    if (kind === "word" || kind === "words") {
      if (wordsSaid) return [];
      wordsSaid = true;
      return [wordSentence(words, verb)];
    }
    const posts = describePosts(kind, value);
    return posts === null ? [] : countedSentence(posts, verb, counts.get(feature));
  });
}

/** Without single words that a pair contains. */
function wordsIn(features: readonly string[]): string[] {
  const values = features.filter((feature) => /^words?:/.test(feature)).map((feature) => partsOf(feature)[1]);
  const inPairs = new Set(values.filter((value) => value.includes(" ")).flatMap((pair) => pair.split(" ")));
  return values.filter((value) => !inPairs.has(value)).slice(0, MOST_WORDS);
}

const lists = new Intl.ListFormat("en-GB");

function wordSentence(words: readonly string[], verb: string): string {
  const list = lists.format(words.map(quote));
  return words.length === 1
    ? `The word ${list} is typical of posts that you ${verb}.`
    : `The words ${list} are typical of posts that you ${verb}.`;
}

function countedSentence(posts: string, verb: string, count: ReviewCount | undefined): string[] {
  if (count === undefined) return [`${posts} were ${verb} before.`];
  const n = verb === "rejected" ? count.rejected : count.reviewed - count.rejected;
  const noun = posts.charAt(0).toLowerCase() + posts.slice(1);
  return n > 0 ? [`You ${verb} ${n} of ${count.reviewed} ${noun}.`] : [];
}

const languages = new Intl.DisplayNames("en", { type: "language", fallback: "code" });

/** Kinds without an entry are not explained: they say too little. */
const POSTS: Readonly<Record<string, (value: string) => string>> = {
  author: () => "Posts by this author",
  instance: (host) => `Posts from ${quote(host)}`,
  stream: (name) => `Posts of the stream ${quote(name)}`,
  language: (tag) => `Posts in ${languageOf(tag)}`,
  tag: (tag) => `Posts with the hashtag ${quote(`#${tag}`)}`,
  link: (host) => `Posts with a link to ${quote(host)}`,
  media: (kind) => `Posts with an attachment of type ${quote(kind)}`,
  rule: (name) => `Posts with the finding ${quote(name.replaceAll("_", " "))}`,
  alt: (value) => (value === "yes" ? "Posts with alt text" : "Posts with media but without alt text"),
  sensitive: () => "Posts marked as sensitive",
  bot: () => "Posts by accounts marked as bots",
  reply: () => "Replies",
  tags: (range) => `Posts with ${plural(range, "hashtag")}`,
  links: (range) => `Posts with ${plural(range, "link")}`,
  mentions: (range) => `Posts with ${plural(range, "mention")}`,
  age: (range) => `Posts by accounts ${ageOf(range)} old`,
  capitals: (range) => `Posts with ${spell(range)} % capital letters`,
  exclamations: (range) => `Posts with ${plural(range, "exclamation mark")}`,
};

function describePosts(kind: string, value: string): string | null {
  return Object.hasOwn(POSTS, kind) ? (POSTS[kind]?.(value) ?? null) : null;
}

function ageOf(range: string): string {
  if (range === "0") return "less than a day";
  return range === "365+" ? "a year or more" : plural(range, "day");
}

function partsOf(feature: string): [kind: string, value: string] {
  const colon = feature.indexOf(":");
  return [feature.slice(0, colon), feature.slice(colon + 1)];
}

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
  return `“${characters.length > LONGEST_QUOTE ? `${characters.slice(0, LONGEST_QUOTE).join("")}…` : text}”`;
}
