import { streamsOf, type Principal } from "#lib/auth/principal.ts";
import { recordEvents } from "#lib/posts/record-event.ts";
import { inTransaction } from "#lib/review/in-transaction.ts";
import { requeueErrorRows } from "./sql.ts";

/** Requeues up to `limit` posts that failed for this reason, oldest error first. Answers how many. */
export async function requeueErrors(
  principal: Principal,
  reason: string,
  limit: number,
): Promise<{ changed: number }> {
  return inTransaction(async (tx) => {
    const ids = await requeueErrorRows(tx, reason, limit, streamsOf(principal));
    await recordEvents(
      tx,
      principal,
      ids.map((post_id) => ({
        post_id,
        action: "requeue",
        from_state: "error",
        to_state: "pending",
        note: reason,
      })),
    );
    return { changed: ids.length };
  });
}
