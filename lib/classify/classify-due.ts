import { scorePosts } from "./score-posts.ts";
import { unclassifiedIds } from "./sql.ts";

const BATCH = 200;

/**
 * Classifies posts that nobody has classified yet, oldest first. Two workers at once do some posts twice and harm
 * nothing.
 * @param limit posts at most
 * @param deadline stops between batches; the rest is for the next call
 * @returns how many were judged, and whether there may be more
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
    // All of them deleted meanwhile; asking again would find others.
    if (done.length === 0) return { scored, more: true };
  }
  return { scored, more: true };
}
