import { log } from "#lib/log.ts";
import { scorePosts } from "./score-posts.ts";

/**
 * Classifies posts right after they were stored or edited, outside of that transaction. Never throws: collecting must
 * not stop because of it, and what stays unclassified is found by `classifyDue`.
 * @returns how many posts were judged
 */
export async function classifyPosts(postIds: readonly number[]): Promise<{ scored: number }> {
  try {
    return { scored: (await scorePosts(postIds)).length };
  } catch (error) {
    log.warn({ err: error, posts: postIds.length }, "posts stay unclassified for now");
    return { scored: 0 };
  }
}
