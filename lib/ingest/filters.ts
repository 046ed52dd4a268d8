import type { NormalisedPost } from "#lib/fediverse/normalised-post.ts";

/** Switches of a stream that keep posts out (contract §5). */
export interface StreamFilters {
  require_media: boolean;
  drop_replies: boolean;
  /** Language codes; empty means every language. */
  languages: string[];
}

export type FilterReason = "no_media" | "reply" | "language";

/**
 * Why a stream does not want a post, or null. A post that names no language passes, as Mastodon's own language
 * filters let it pass; a region is not compared (`pt` takes `pt-BR`).
 */
export function streamRefuses(post: NormalisedPost, filters: StreamFilters): FilterReason | null {
  if (filters.require_media && post.media.length === 0) return "no_media";
  if (filters.drop_replies && post.in_reply_to !== null) return "reply";
  if (post.language === null || filters.languages.length === 0) return null;
  const spoken = baseOf(post.language);
  return filters.languages.some((language) => baseOf(language) === spoken) ? null : "language";
}

function baseOf(language: string): string {
  return language.toLowerCase().split(/[-_]/)[0] ?? "";
}
