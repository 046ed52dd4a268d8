import type { DropRule } from "#lib/fediverse/judge-consent.ts";
import type { DropReason, NormalisedPost } from "#lib/fediverse/normalise-status.ts";

/** By setting of the stream: whether a post is dropped, and the reason that is counted. */
export const filterRules = {
  require_media: {
    reason: "no_media",
    drops: ({ media }, required: boolean) => required && media.length === 0,
  },
  /** An author's own thread is no reply to somebody. */
  drop_replies: {
    reason: "reply",
    drops: ({ in_reply_to, is_own_thread }, drop: boolean) => drop && in_reply_to !== null && !is_own_thread,
  },
  languages: { reason: "language", drops: hasOtherLanguage },
} as const satisfies Record<
  string,
  { reason: string; drops: (post: NormalisedPost, setting: never) => boolean }
>;

type Rules = typeof filterRules;

export type StreamFilters = { [Name in keyof Rules]: Parameters<Rules[Name]["drops"]>[1] };

export type FilterReason = Rules[keyof Rules]["reason"];

/** Why a fetched post is not stored. Screens name each reason in components/statistics/reason-name.ts. */
export type SkipReason = DropReason | DropRule | FilterReason;

export function streamRefuses(post: NormalisedPost, filters: StreamFilters): FilterReason | null {
  const names = Object.keys(filterRules) as (keyof Rules)[];
  const dropping = names.find((name) => filterRules[name].drops(post, filters[name] as never));
  return dropping === undefined ? null : filterRules[dropping].reason;
}

/** A post without a language passes, as in Mastodon's filters; regions are ignored. Empty: every language. */
function hasOtherLanguage({ language }: NormalisedPost, languages: string[]): boolean {
  if (language === null || languages.length === 0) return false;
  return languages.every((code) => baseOf(code) !== baseOf(language));
}

function baseOf(language: string): string {
  return language.toLowerCase().split(/[-_]/)[0] ?? "";
}
