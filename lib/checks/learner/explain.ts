import { featureId, type FeatureKey } from "./features.ts";
import { isStopWord } from "./stop-words.ts";
import { logOdds, placeOf, scaleOf, type ModelState, type PastReviews, type ReviewCount } from "./model.ts";

export interface Influence {
  /** Of a post, or "author:" and "instance:" with the host: reviews of the author's and of the instance's posts. */
  feature: string;
  /** Positive speaks for a rejection. */
  weight: number;
  /** Exact; null when fewer than two posts with the feature were reviewed. */
  count: ReviewCount | null;
}

export interface Explained {
  /** Of the post's own features; the model knows only their ids. */
  names: readonly string[];
  /** Number of the post's features, when `names` are some of them. */
  features?: number;
  instance: string;
  past: PastReviews;
}

/** One review is no evidence. */
const MIN_REVIEWED = 2;

/**
 * The features of a post with the most influence on its prediction, those for a rejection first. Without stop words, and
 * without what most reviewed posts have in common: it says nothing about this one.
 */
export function explain(
  state: ModelState,
  key: FeatureKey,
  { names, features = names.length, instance, past }: Explained,
  max: number,
): Influence[] {
  const own = names.map((feature): Influence => {
    const place = placeOf(state, featureId(feature, key));
    const [reviewed = 0, rejected = 0] = [state.reviewed[place], state.rejected[place]];
    return { feature, weight: state.weights[place] ?? 0, count: evidence({ reviewed, rejected }) };
  });
  // Weights of features are scaled, these are not. A negative weight would reverse the meaning of the counts.
  const scale = scaleOf(features) || 1;
  const ofPast = ([feature, weight, count]: readonly [string, number, ReviewCount]): Influence => ({
    feature,
    weight: (Math.max(0, weight) * logOdds(count)) / scale,
    count: evidence(count),
  });
  const found = [
    ...own,
    ofPast(["author:", state.past.author, past.author]),
    ofPast([`instance:${instance}`, state.past.instance, past.instance]),
  ];
  return found
    .filter(({ weight, feature, count }) => weight !== 0 && isTelling(feature, count, state.examples))
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .slice(0, max)
    .sort((a, b) => b.weight - a.weight);
}

/** Reviews of the author are about the author, however many there are. */
function isTelling(feature: string, count: ReviewCount | null, examples: number): boolean {
  const [kind, value] = partsOf(feature);
  if (kind === "word" && isStopWord(value)) return false;
  return kind === "author" || count === null || 2 * count.reviewed <= examples;
}

function evidence(count: ReviewCount): ReviewCount | null {
  return count.reviewed >= MIN_REVIEWED ? count : null;
}

const MAX_SENTENCES = 3;
/** Share of the strongest influence; a weaker one is no reason. */
const MIN_SHARE = 0.2;
const MAX_WORDS = 3;
const MAX_QUOTE = 40;
/** A word of one letter explains nothing; a word of one ideograph does. */
const LETTER = /^word:[\p{Ll}\p{N}]$/u;

/**
 * At most three sentences about posts, not about people, those for a rejection first. Only with a count that agrees: a
 * weight alone may belong to another feature.
 *
 * @param found from `explain`
 */
export function reasonSentences(found: readonly Influence[]): string[] {
  const minWeight = MIN_SHARE * Math.max(...found.map(({ weight }) => Math.abs(weight)));
  const reasons = found.filter(
    (influence) =>
      Math.abs(influence.weight) >= minWeight && !LETTER.test(influence.feature) && agreeing(influence) > 0,
  );
  const sides = [reasons.filter(({ weight }) => weight > 0), reasons.filter(({ weight }) => weight < 0)];
  return sides.flatMap(sentencesOf).slice(0, MAX_SENTENCES);
}

/** Reviews of posts with the feature that were decided as its weight says. */
function agreeing({ weight, count }: Influence): number {
  if (count === null) return 0;
  return weight > 0 ? count.rejected : count.reviewed - count.rejected;
}

/** `side`: features of one sign. The words share a sentence, at the place of the strongest. */
function sentencesOf(side: readonly Influence[]): string[] {
  const strongest = side.toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  const words = strongest.map(({ feature }) => partsOf(feature)).filter(([kind]) => kind === "word");
  let wordsSaid = false;
  return strongest.flatMap((influence) => {
    const [kind, value] = partsOf(influence.feature);
    const verb = influence.weight > 0 ? "rejected" : "approved";
    if (kind === "word") {
      if (wordsSaid) return [];
      wordsSaid = true;
      const strongestWords = words.slice(0, MAX_WORDS).map(([, word]) => word);
      return [wordSentence(strongestWords, verb)];
    }
    const posts = describePosts(kind, value);
    if (posts === null) return [];
    return [`You ${verb} ${agreeing(influence)} of ${influence.count?.reviewed} ${posts}.`];
  });
}

const lists = new Intl.ListFormat("en-GB");

function wordSentence(words: readonly string[], verb: string): string {
  const list = lists.format(words.map(quote));
  return words.length === 1
    ? `The word ${list} is typical of posts that you ${verb}.`
    : `The words ${list} are typical of posts that you ${verb}.`;
}

const languages = new Intl.DisplayNames("en", { type: "language", fallback: "code" });

/** Kinds without an entry are not explained: they say too little. */
const POSTS: Readonly<Record<string, (value: string) => string>> = {
  author: () => "posts by this author",
  instance: (host) => `posts from ${quote(host)}`,
  stream: (name) => `posts of the stream ${quote(name)}`,
  language: (tag) => `posts in ${languageOf(tag)}`,
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
  age: (range) => `posts by accounts ${ageOf(range)} old`,
  capitals: (range) => `posts with ${spell(range)} % capital letters`,
  exclamations: (range) => `posts with ${plural(range, "exclamation mark")}`,
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
  return `“${characters.length > MAX_QUOTE ? `${characters.slice(0, MAX_QUOTE).join("")}…` : text}”`;
}
