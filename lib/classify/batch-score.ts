import type { Principal } from "#lib/auth/principal.ts";
import { db } from "#lib/db.ts";
import { beyondReach } from "#lib/posts/beyond-reach.ts";
import { MAX_ID } from "#lib/http/fields.ts";
import { scorePosts } from "./score-posts.ts";
import type { BatchScore } from "./schema.ts";

/**
 * Classifies posts again, each once. Nothing is queued while there is no background picture stage.
 *
 * @param postIds at most 500
 */
export async function batchScore(principal: Principal, postIds: readonly number[]): Promise<BatchScore> {
  const asked = [...new Set(postIds)];
  const possible = asked.filter((id) => id >= 1 && id <= MAX_ID);
  const beyond = new Set(await beyondReach(db, principal, possible));
  const scored = new Set(await scorePosts(possible.filter((id) => !beyond.has(id))));
  return { scored: scored.size, queued: 0, not_found: asked.filter((id) => !scored.has(id)) };
}
