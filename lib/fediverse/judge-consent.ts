import type { ConsentPolicy, ConsentSignals } from "./consent-schema.ts";
import { foldHashtag } from "./hashtag.ts";
import type { NormalisedAuthor, NormalisedPost } from "./normalise-status.ts";

/** Hashtags that always refuse and cannot be switched off. */
export const REFUSAL_TAGS = ["nobot", "nobots", "noindex", "nosearch", "noarchive"] as const;

export interface ConsentSettings {
  policy: ConsentPolicy;
  /** Further refusing hashtags, with or without `#`. */
  refusal_tags?: readonly string[];
  /** Profile tags that opt in (policy `opt-in`). */
  opt_in_tags?: readonly string[];
}

/** Rules with a sentence for an author who asks. */
export const DROP_RULES = {
  visibility: "The post is not public.",
  suspended: "The account is suspended.",
  memorial: "The account is a memorial.",
  moved: "The account has moved elsewhere.",
  refusal_tag: "The author's profile carries a tag that refuses programs.",
  refusal_tag_on_post: "The post carries a tag that refuses programs.",
  quote_refused: "The author of the quoted post refuses programs.",
  announce_refused: "The author does not let everybody boost this post.",
  noindex: "The author does not want to be indexed.",
  not_opted_in: "The author has not opted in (policy opt-in).",
  reported: "A boost bot reported that the author opted out, and a reviewer confirmed it.",
} as const;

export type DropRule = keyof typeof DROP_RULES;
export type KeepRule = "no_refusal" | "opt_in_tag";

/** Refusals on the profile, which hold for every post of the author. */
export type AuthorRefusal = "refusal_tag" | "noindex";

export type ConsentVerdict = ({ verdict: "keep"; rule: KeepRule } | { verdict: "drop"; rule: DropRule }) & {
  signals: ConsentSignals;
  /** The refusal on the profile, also if another rule dropped the post. */
  author_refusal: AuthorRefusal | null;
};

/** Judges a post by docs/fediverse.md#consent-signals. The caller stores only uri, rule and time of a dropped post. */
export function judgeConsent(post: NormalisedPost, settings: ConsentSettings): ConsentVerdict {
  const { author } = post;
  const refusing = refusingTags(settings);
  const signals: ConsentSignals = {
    policy: settings.policy,
    visibility_stated: post.visibility_stated,
    profile_seen: author.profile_seen,
    refusal_tags: [...new Set([...author.tags, ...post.tags])].filter((tag) => refusing.has(tag)),
    opt_in_tags: optInTags(author, settings),
    noindex: author.noindex,
    indexable: author.indexable,
    discoverable: author.discoverable,
    bot: author.is_bot,
    locked: author.locked,
    group: author.group,
    limited: author.limited,
    sensitive: post.sensitive,
    content_warning: post.spoiler_text !== "",
    reply: post.in_reply_to !== null,
    quote: post.quote !== null,
    can_announce: post.can_announce,
    quote_approval: post.quote_approval,
    feature_approval: author.feature_approval,
  };
  const shown = { signals, author_refusal: judgeAuthor(author, settings) };
  const drop = (rule: DropRule): ConsentVerdict => ({ verdict: "drop", rule, ...shown });

  if (author.suspended) return drop("suspended");
  if (author.memorial) return drop("memorial");
  if (author.moved) return drop("moved");
  if (shown.author_refusal === "refusal_tag") return drop("refusal_tag");
  if (post.tags.some((tag) => refusing.has(tag))) return drop("refusal_tag_on_post");
  const quoted = post.quote?.author ?? null;
  if (quoted !== null && judgeAuthor(quoted, { ...settings, policy: "moderate" }) !== null)
    return drop("quote_refused");
  if (post.can_announce === false) return drop("announce_refused");
  return { ...judgePolicy(signals), ...shown };
}

/** Judges only the author. Null without a refusal. */
export function judgeAuthor(author: NormalisedAuthor, settings: ConsentSettings): AuthorRefusal | null {
  const refusing = refusingTags(settings);
  if (author.tags.some((tag) => refusing.has(tag))) return "refusal_tag";
  if (author.noindex !== true) return null;
  const isOptedIn = settings.policy === "opt-in" && optInTags(author, settings).length > 0;
  return isOptedIn ? null : "noindex";
}

function refusingTags(settings: ConsentSettings): Set<string> {
  return new Set([...REFUSAL_TAGS, ...(settings.refusal_tags ?? []).map(foldHashtag)]);
}

function optInTags({ tags }: NormalisedAuthor, settings: ConsentSettings): string[] {
  return (settings.opt_in_tags ?? []).map(foldHashtag).filter((tag) => tags.includes(tag));
}

function judgePolicy(
  signals: ConsentSignals,
): { verdict: "keep"; rule: KeepRule } | { verdict: "drop"; rule: DropRule } {
  const drop = (rule: DropRule) => ({ verdict: "drop", rule }) as const;
  const keep = (rule: KeepRule) => ({ verdict: "keep", rule }) as const;
  // Consent given to this service outranks a setting for search engines.
  if (signals.policy === "opt-in")
    return signals.opt_in_tags.length > 0 ? keep("opt_in_tag") : drop("not_opted_in");
  // Mastodon sends `indexable` and `discoverable` as false when they were never touched, so they are only shown.
  return signals.noindex === true ? drop("noindex") : keep("no_refusal");
}
