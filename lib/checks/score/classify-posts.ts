import { MAX_ID } from "#lib/base/http/fields.ts";
import { outdatedIds } from "#lib/checks/results/advise-again.ts";
import { log } from "#lib/base/log.ts";
import type { BatchScore } from "./schema.ts";
import { scorePosts } from "./score-posts.ts";
import { countQueued, existingIds, unclassifiedIds } from "./sql.ts";

const DUE_BATCH = 200;

/** Classifies stored or edited posts. Logs errors instead of throwing; `classifyDue` retries. */
export async function classifyPosts(postIds: readonly number[]): Promise<{ scored: number }> {
  try {
    return { scored: (await scorePosts(postIds)).length };
  } catch (error) {
    log.warn({ err: error, posts: postIds.length }, "classification failed: posts stay unclassified");
    return { scored: 0 };
  }
}

/**
 * Classifies posts without advice, oldest first, then unreviewed ones whose advice is outdated.
 *
 * @param options.deadline checked between batches
 * @returns `more`: more posts may be due
 */
export async function classifyDue(options: {
  limit: number;
  deadline: Date;
}): Promise<{ scored: number; more: boolean }> {
  let scored = 0;
  while (scored < options.limit && Date.now() < options.deadline.getTime()) {
    const limit = Math.min(DUE_BATCH, options.limit - scored);
    const fresh = await unclassifiedIds(limit);
    const ids = fresh.length > 0 ? fresh : await outdatedIds(limit);
    if (ids.length === 0) return { scored, more: false };
    const done = await scorePosts(ids);
    scored += done.length;
    // All were deleted or edited meanwhile; continuing could loop.
    if (done.length === 0) return { scored, more: true };
  }
  return { scored, more: true };
}

/**
 * Runs the text stage. Results of picture and remote checks stay until these run again.
 *
 * @param postIds at most 500; duplicates count once
 */
export async function batchScore(postIds: readonly number[]): Promise<BatchScore> {
  const unique = [...new Set(postIds)];
  const possible = unique.filter((id) => id >= 1 && id <= MAX_ID);
  const known = await existingIds(possible);
  const scored = await scorePosts(known, { again: true });
  const found = new Set(known);
  return {
    scored: scored.length,
    queued: await countQueued(known),
    not_found: unique.filter((id) => !found.has(id)),
  };
}
