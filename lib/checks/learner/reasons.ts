import type { LearnerReason } from "#lib/checks/results/raw-checks.ts";

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
