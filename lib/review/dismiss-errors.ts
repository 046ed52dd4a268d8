import type { Principal } from "#lib/auth/principal.ts";
import { listErrorPosts } from "#lib/queue/list-error-posts.ts";
import { inTransaction } from "./in-transaction.ts";
import { rejectPosts } from "./reject-posts.ts";

/**
 * Rejects up to `limit` posts that failed for this reason, oldest error first; the error stays in their history.
 * One that somebody requeued meanwhile is left alone.
 */
export async function dismissErrors(
  principal: Principal,
  reason: string,
  limit: number,
): Promise<{ changed: number }> {
  return inTransaction(async (tx) => {
    const ids = await listErrorPosts(tx, principal, reason, limit);
    const rejected = await rejectPosts(tx, principal, ids, { reason, only: ["error"] });
    return { changed: rejected.length };
  });
}
