import { scorePosts } from "./score-posts.ts";
import { unclassifiedIds } from "./sql.ts";

const BATCH = 200;

/**
 * Classifies unclassified posts, oldest first. Parallel workers may repeat some posts, which is harmless.
 *
 * @param limit maximum number of posts
 * @param deadline checked between batches
 * @returns number of classified posts and whether there may be more
 * @throws when the database is away
 */
export async function classifyDue(options: {
  limit: number;
  deadline: Date;
}): Promise<{ scored: number; more: boolean }> {
  let scored = 0;
  while (scored < options.limit && Date.now() < options.deadline.getTime()) {
    const ids = await unclassifiedIds(Math.min(BATCH, options.limit - scored));
    if (ids.length === 0) return { scored, more: false };
    const done = await scorePosts(ids);
    scored += done.length;
    // All were deleted meanwhile. Another request would find others.
    if (done.length === 0) return { scored, more: true };
  }
  return { scored, more: true };
}
