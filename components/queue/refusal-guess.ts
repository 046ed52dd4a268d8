import type { ListedPost } from "#lib/queue/overview-schema.ts";

export type RefusalGuess = "silent" | "given_back" | "no_text" | "mixed";

/**
 * Why consumers may refuse a post again and again; they do not say. One that never answers has dropped the post without
 * a word or failed on its own side; one that gives it back at once misses something in it, most often words.
 */
export function guessRefusal(post: Pick<ListedPost, "nacks" | "timeouts" | "content_snippet">): RefusalGuess {
  if (post.nacks === 0) return "silent";
  if (post.content_snippet.trim() === "") return "no_text";
  return post.timeouts === 0 ? "given_back" : "mixed";
}
