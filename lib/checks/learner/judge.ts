import type { CheckSettings } from "#lib/checks/results/check-names.ts";
import { isDecisive, isOver, type Check, type Opinion } from "#lib/checks/results/opinion.ts";
import type { LearnerReason, RawChecks } from "#lib/checks/results/raw-checks.ts";

/** The learner gives a score once posts of both kinds were decided; it votes once it has a threshold. */
export function judgeLearner(
  { learner_score: score, learner_reasons }: RawChecks,
  { checks: { learner } }: CheckSettings,
): Opinion {
  if (!learner.enabled || score === null) return { checks: [], reasons: [], failed: [] };
  const { threshold } = learner;
  const votes = learner.votes && threshold !== null;
  const sentences = reasonSentences(learner_reasons.filter(({ weight }) => weight > 0 === score >= 0.5));
  const reason = sentences[0] ?? null;
  const check: Check = { name: "learner", kind: "learner", version: "1", score, threshold, votes, reason };
  const decisive = isDecisive(check);
  // Without a vote the learner is not yet good enough to be quoted.
  const shown = votes && isOver(check) ? sentences : [];
  const reasons = shown.map((text, index) => ({ text, strength: score / (index + 1), decisive }));
  return { checks: [check], reasons, failed: [] };
}

/**
 * At most three sentences with exact counts.
 *
 * @param reasons of one sign, the strongest first; those with a fifth of its influence or less are none
 */
export function reasonSentences(reasons: readonly LearnerReason[]): string[] {
  const strong = reasons.filter(({ weight }) => Math.abs(weight) > 0.2 * Math.abs(reasons[0]?.weight ?? 0));
  const sentences = strong.flatMap(({ feature, weight, reviewed, rejected }) => {
    const colon = feature.indexOf(":");
    const posts = POSTS[feature.slice(0, colon)]?.(feature.slice(colon + 1));
    const [verb, agreeing] = weight > 0 ? ["rejected", rejected] : ["approved", reviewed - rejected];
    return posts === undefined || agreeing === 0
      ? []
      : [`You ${verb} ${agreeing} of ${reviewed} posts ${posts}.`];
  });
  return sentences.slice(0, 3);
}

/** Kinds without an entry are not explained: they say too little. */
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
