import { log } from "#lib/log.ts";
import { scorePosts } from "./score-posts.ts";

/**
 * Classifies posts after they were stored or edited, outside of that transaction. Never throws, because
 * fetching must continue; `classifyDue` finds unclassified posts.
 *
 * @returns number of classified posts
 */
export async function classifyPosts(postIds: readonly number[]): Promise<{ scored: number }> {
  try {
    return { scored: (await scorePosts(postIds)).length };
  } catch (error) {
    log.warn({ err: error, posts: postIds.length }, "posts stay unclassified for now");
    return { scored: 0 };
  }
}
