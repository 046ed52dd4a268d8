import type { DropRule } from "#lib/consent/judge-consent.ts";
import type { DropReason, NormalisedPost } from "#lib/fediverse/normalised-post.ts";

export interface StreamFilters {
  require_media: boolean;
  drop_replies: boolean;
  /** Empty means every language. */
  languages: string[];
}

export type FilterReason = "no_media" | "reply" | "language";

/** Why a fetched post is not stored. Screens name each reason in components/words/en/statistics.ts. */
export type SkipReason = DropReason | DropRule | FilterReason;

type Rule<Setting> = (post: NormalisedPost, setting: Setting) => FilterReason | null;

/** Each rule returns why it drops a post, or null. */
export const filterRules: { [Name in keyof StreamFilters]: Rule<StreamFilters[Name]> } = {
  require_media: (post, required) => (required && post.media.length === 0 ? "no_media" : null),
  drop_replies: (post, drop) => (drop && post.in_reply_to !== null ? "reply" : null),
  // Without a language a post passes, as in Mastodon's filters; regions are ignored.
  languages: ({ language }, languages) => {
    if (language === null || languages.length === 0) return null;
    return languages.some((code) => baseOf(code) === baseOf(language)) ? null : "language";
  },
};

export function streamRefuses(post: NormalisedPost, filters: StreamFilters): FilterReason | null {
  const refuse = <Name extends keyof StreamFilters>(name: Name) => filterRules[name](post, filters[name]);
  for (const name of Object.keys(filterRules) as (keyof StreamFilters)[]) {
    const reason = refuse(name);
    if (reason !== null) return reason;
  }
  return null;
}

function baseOf(language: string): string {
  return language.toLowerCase().split(/[-_]/)[0] ?? "";
}
