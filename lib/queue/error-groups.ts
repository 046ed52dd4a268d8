import type { Principal } from "#lib/base/http/principal.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { recordEvents } from "./record-event.ts";
import { lockErrorRows, requeueRows } from "./error-group-sql.ts";
import { wantChecksOfHeld } from "./queue-entries.ts";
import type { ErrorBatch, ErrorGroup } from "./schema.ts";
export { errorPostRows } from "./error-group-sql.ts";

/** Requeues up to `limit` posts with this reason, oldest error first. */
export async function requeueErrors(
  principal: Principal,
  { reason, limit }: ErrorGroup,
): Promise<ErrorBatch> {
  return inTransaction(async (tx) => {
    const ids = await lockErrorRows(tx, reason, limit);
    await requeueRows(tx, ids);
    await wantChecksOfHeld(tx, ids);
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
