import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { Score } from "./schema.ts";

/**
 * Check results of a post.
 *
 * @throws ApiError `post_not_found`
 */
export async function getScore(postId: number): Promise<Score> {
  const post = await db.post.findUnique({
    where: { id: postId },
    select: { id: true, ai_would_reject: true, ai_score: true, vision_category: true, ai_checks: true },
  });
  if (post === null) throw new ApiError("post_not_found");
  return {
    post_id: post.id,
    ai_would_reject: post.ai_would_reject,
    ai_score: post.ai_score,
    vision_category: post.vision_category,
    checks: Score.shape.checks.parse(post.ai_checks),
  };
}
