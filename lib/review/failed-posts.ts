import type { Principal } from "#lib/base/http/principal.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { errorPostRows } from "#lib/queue/error-groups.ts";
import type { ErrorBatch, ErrorGroup } from "#lib/queue/schema.ts";
import { decideLocked, lockForReview } from "./decide-posts.ts";

/** Rejects up to `limit` posts that failed for this reason, oldest error first. */
export async function dismissErrors(
  principal: Principal,
  { reason, limit }: ErrorGroup,
): Promise<ErrorBatch> {
  return inTransaction(async (tx) => {
    const ids = await errorPostRows(tx, reason, limit);
    const locked = await lockForReview(tx, ids);
    const failed = locked.filter(({ state }) => state === "error");
    const { changed } = await decideLocked(tx, principal, failed, false, { note: reason });
    return { changed: changed.length };
  });
}
