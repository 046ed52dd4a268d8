import type { PostText } from "#lib/checks/results/post-text.ts";
import { roundScore, type LearnerReason } from "#lib/checks/results/raw-checks.ts";

/** Reviewed posts, and how many of them were rejected. */
export interface ReviewCount {
  reviewed: number;
  rejected: number;
}

/** Keys: the id of a feature, or the name of an author or instance. */
export type Counts = ReadonlyMap<number | string, ReviewCount>;

/** Id of the feature that every post has: its count is the number of reviewed posts. */
export const ALL = 0;
/** Strength of the neutral prior: as if so many posts had half approved, half rejected decisions. */
const PRIOR = 1;
/** Most features that are stored as reasons of a score. */
const MAX_REASONS = 6;

/**
 * How much a feature speaks for a rejection: the log odds of rejected among posts with it, if as many posts were rejected
 * as approved (Robinson 2003, "A Statistical Approach to the Spam Problem"). 0 without reviews.
 */
function weightOf({ reviewed, rejected }: ReviewCount, all: ReviewCount): number {
  if (reviewed === 0) return 0;
  const share = rejected / all.rejected;
  const approved = (reviewed - rejected) / (all.reviewed - all.rejected);
  const p = (PRIOR / 2 + (reviewed * share) / (share + approved)) / (PRIOR + reviewed);
  return Math.log(p / (1 - p));
}

/**
 * Predicts the decision. The score (0 to 1) is the logistic function of a sum: the weights of author and instance, and the
 * weights of all features divided by the root of their number, so that a long post weighs no more than a short one.
 *
 * The reasons are the features with the most influence, strongest first. Features of a single review and features of most
 * reviewed posts are no reasons. Returns null until there are approvals and rejections.
 *
 * @param ids of the features, in the order of their names
 */
export function predict(
  names: readonly string[],
  ids: readonly number[],
  { author_key, instance }: Pick<PostText, "author_key" | "instance">,
  counts: Counts,
): { score: number; reasons: LearnerReason[] } | null {
  const all = counts.get(ALL);
  if (all === undefined || all.rejected === 0 || all.rejected === all.reviewed) return null;
  const weigh = (feature: string, key: number | string, scale: number): LearnerReason => {
    const count = counts.get(key) ?? { reviewed: 0, rejected: 0 };
    return { feature, weight: scale * weightOf(count, all), ...count };
  };
  const scale = 1 / Math.sqrt(Math.max(1, names.length));
  const weighed = [
    ...names.map((name, i) => weigh(name, ids[i] ?? ALL, scale)),
    weigh("author:", author_key, 1),
    weigh(`instance:${instance}`, instance, 1),
  ];
  const sum = weighed.reduce((total, { weight }) => total + weight, 0);
  const isCommon = ({ feature, reviewed }: LearnerReason) =>
    feature !== "author:" && 2 * reviewed > all.reviewed;
  const reasons = weighed
    .filter((reason) => reason.reviewed >= 2 && !isCommon(reason))
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .slice(0, MAX_REASONS)
    .map((reason) => ({ ...reason, weight: roundScore(reason.weight) }));
  return { score: roundScore(1 / (1 + Math.exp(-sum))), reasons };
}

/**
 * At most three sentences with exact counts.
 *
 * @param reasons of one sign, the strongest first; those with a fifth of its influence or less are none
 */
export function reasonSentences(reasons: readonly LearnerReason[]): string[] {
  const strong = reasons.filter(({ weight }) => Math.abs(weight) > 0.2 * Math.abs(reasons[0]?.weight ?? 0));
  return strong
    .flatMap(({ feature, weight, reviewed, rejected }) => {
      const colon = feature.indexOf(":");
      const posts = POSTS[feature.slice(0, colon)]?.(feature.slice(colon + 1));
      const [verb, agreeing] = weight > 0 ? ["rejected", rejected] : ["approved", reviewed - rejected];
      return posts === undefined || agreeing === 0
        ? []
        : [`You ${verb} ${agreeing} of ${reviewed} posts ${posts}.`];
    })
    .slice(0, 3);
}

/** Descriptions by kind of feature. A kind without an entry is not shown as a reason. */
const POSTS: Readonly<Partial<Record<string, (value: string) => string>>> = {
  author: () => "by this author",
  instance: (host) => `from “${host}”`,
  stream: (name) => `of the stream “${name}”`,
  language: (tag) => `in the language “${tag}”`,
  word: (word) => `with the word “${word}”`,
  tag: (tag) => `with the hashtag “#${tag}”`,
  link: (host) => `with a link to “${host}”`,
  media: (kind) => `with an attachment of type “${kind}”`,
  rule: (name) => `with the finding “${name.replaceAll("_", " ")}”`,
  sensitive: () => "marked as sensitive",
  bot: () => "by accounts marked as bots",
  reply: () => "that are replies",
  tags: (least) => `with ${least} hashtags or more`,
  links: (least) => `with ${least} links or more`,
  mentions: (least) => `with ${least} mentions or more`,
};
