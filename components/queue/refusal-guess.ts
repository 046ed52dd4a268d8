import type { ListedPost } from "#lib/queue/overview-schema.ts";

export type RefusalGuess = "silent" | "given_back" | "no_text" | "mixed";

/**
 * Consumers give no reason. Time-outs: dropped or failed. Immediate nacks: something is missing, most
 * often text.
 */
export function guessRefusal(post: Pick<ListedPost, "nacks" | "timeouts" | "content_snippet">): RefusalGuess {
  if (post.nacks === 0) return "silent";
  if (post.content_snippet.trim() === "") return "no_text";
  return post.timeouts === 0 ? "given_back" : "mixed";
}
