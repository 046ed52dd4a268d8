import type { Actor } from "#lib/auth/principal.ts";
import { findUnreviewedBlocked } from "#lib/filters/find-blocks.ts";
import { blockKinds } from "#lib/filters/schema.ts";
import { inTransaction } from "#lib/transaction.ts";
import { rejectPosts } from "./reject-posts.ts";

/** Posts locked by one transaction, so that reviewers are not kept waiting. */
const BATCH = 500;

/**
 * Rejects the unreviewed posts that either block list matches now, even when rejection on fetch is switched off.
 * Posts that a reviewer decides about meanwhile keep that decision.
 * @returns number of rejected posts
 */
export async function rejectBlocked(actor: Actor): Promise<number> {
  let rejected = 0;
  for (const kind of blockKinds) {
    const ids = await findUnreviewedBlocked[kind]();
    for (let i = 0; i < ids.length; i += BATCH) {
      const some = ids.slice(i, i + BATCH);
      const changed = await inTransaction((tx) =>
        rejectPosts(tx, actor, some, { reason: `blocked_${kind}`, source: "filter", only: ["unreviewed"] }),
      );
      rejected += changed.length;
    }
  }
  return rejected;
}
