import type { Principal } from "#lib/auth/principal.ts";
import type { Post } from "#lib/posts/schema.ts";

/*
 * For one post in ten, the desk shows members the advice of the checks only after the decision, so that their agreement
 * with it can be measured without its influence. Lists, the page of a post and API keys always see it.
 */

/** A stable tenth of the posts, by id. As `isBlindSql`. */
export function isBlind(postId: number): boolean {
  return ((BigInt(postId) * 2_654_435_761n) % 4_294_967_296n) * 10n < 4_294_967_296n;
}

export function hidesAdvice(reader: Pick<Principal, "kind">, post: Pick<Post, "id" | "approved">): boolean {
  return reader.kind === "member" && post.approved === null && isBlind(post.id);
}

/** @param doubted a picture check that votes would reject the post. Nobody looks at such a picture unprepared. */
export function withoutAdvice<P extends Post>(post: P, doubted: boolean): P {
  const { media_attachments, sensitive, spoiler_text } = post;
  return {
    ...post,
    ai_would_reject: null,
    ai_score: null,
    ai_reasons: [],
    text_reason: null,
    vision_category: null,
    vision_confidence: null,
    media_covered: media_attachments.length > 0 && (sensitive || spoiler_text !== null || doubted),
  };
}
