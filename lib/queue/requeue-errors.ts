import { allowedStreams, type Principal } from "#lib/auth/principal.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { inTransaction } from "#lib/transaction.ts";
import { keepErrorBatch } from "./keep-error-batch.ts";
import type { ErrorBatch } from "./schema.ts";
import { lockErrorRows, requeueRows } from "./sql.ts";

/** Requeues up to `limit` posts that failed for this reason, oldest error first; `undoErrors` takes it back. */
export async function requeueErrors(
  principal: Principal,
  reason: string,
  limit: number,
): Promise<ErrorBatch> {
  return inTransaction(async (tx) => {
    const ids = await lockErrorRows(tx, reason, limit, allowedStreams(principal));
    const batch_id = await keepErrorBatch(tx, "requeue", reason, ids);
    await requeueRows(tx, ids);
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
    return { changed: ids.length, batch_id };
  });
}
