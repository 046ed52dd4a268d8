import type { DropRule } from "#lib/fediverse/judge-consent.ts";
import type { DropReason, NormalisedPost } from "#lib/fediverse/normalise-status.ts";
import type { StreamSettings } from "./stream-schema.ts";

export type StreamFilters = Pick<StreamSettings, "require_media" | "drop_replies" | "languages">;
export type FilterReason = "no_media" | "reply" | "language";

/** Why a fetched post is not stored. Screens name each reason in components/statistics/reason-name.ts. */
export type SkipReason = DropReason | DropRule | FilterReason;

export function streamRefuses(post: NormalisedPost, filters: StreamFilters): FilterReason | null {
  if (filters.require_media && post.media.length === 0) return "no_media";
  // A reply within the author's own thread is not a reply to somebody else.
  if (filters.drop_replies && post.in_reply_to !== null && !post.is_own_thread) return "reply";
  return hasOtherLanguage(post, filters.languages) ? "language" : null;
}

/** Whether the language is not among `languages`. A post without a language passes, as in Mastodon's filters. Ignores regions. */
function hasOtherLanguage({ language }: NormalisedPost, languages: string[]): boolean {
  if (language === null || languages.length === 0) return false;
  return languages.every((code) => baseOf(code) !== baseOf(language));
}

function baseOf(language: string): string {
  return language.toLowerCase().split(/[-_]/)[0] ?? "";
}
