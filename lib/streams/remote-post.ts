import type { NormalisedPost } from "#lib/fediverse/normalised-post.ts";

/** Fields of a post that is shown and not stored. */
export function remotePostFields(post: NormalisedPost) {
  return {
    author_account: post.author.account,
    author_display_name: post.author.display_name || null,
    url: post.url ?? post.uri,
    created_at: post.created_at,
    spoiler_text: post.spoiler_text || null,
    sensitive: post.sensitive,
    language: post.language,
  };
}
