import type { ListedPost } from "#lib/queue/overview-schema.ts";

export type RefusalGuess = "silent" | "given_back" | "no_text" | "mixed";

/**
 * Guesses why consumers refuse a post repeatedly, since they give no reason. Time-outs mean that a consumer
 * dropped the post or failed; immediate nacks mean that the post lacks something, most often text.
 */
export function guessRefusal(post: Pick<ListedPost, "nacks" | "timeouts" | "content_snippet">): RefusalGuess {
  if (post.nacks === 0) return "silent";
  if (post.content_snippet.trim() === "") return "no_text";
  return post.timeouts === 0 ? "given_back" : "mixed";
}
