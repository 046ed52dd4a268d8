import type { Principal } from "#lib/base/http/principal.ts";
import type { Tx } from "#lib/base/db.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { recordEvents } from "./record-event.ts";
import { moveErrorRows } from "./sql.ts";
import { wantChecksOfHeld } from "./queue-entries.ts";
import type { ErrorBatch, ErrorGroup } from "./schema.ts";

/** Requeues up to `limit` posts with this reason, oldest error first. */
export async function requeueErrors(
  principal: Principal,
  { reason, limit }: ErrorGroup,
): Promise<ErrorBatch> {
  return inTransaction(async (tx) => {
    const ids = await lockErrorRows(tx, reason, limit);
    await moveErrorRows(tx, ids, "pending");
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

/** Locks failed posts and their entries, oldest error first. Skips locked ones, because a deletion locks the post first. */
async function lockErrorRows(tx: Tx, reason: string, limit: number): Promise<number[]> {
  const rows = await tx.$queryRaw<{ post_id: number }[]>`
    SELECT q.post_id FROM queue_entry q JOIN post p ON p.id = q.post_id
     WHERE q.state = 'error' AND q.error_reason = ${reason}
     ORDER BY q.errored_at, q.post_id LIMIT ${limit} FOR KEY SHARE OF p SKIP LOCKED FOR UPDATE OF q SKIP LOCKED`;
  return rows.map((row) => row.post_id);
}

/** Ids of failed posts with this reason, oldest error first. */
export async function errorPostRows(tx: Tx, reason: string, limit: number): Promise<number[]> {
  const rows = await tx.$queryRaw<{ post_id: number }[]>`
    SELECT post_id FROM queue_entry WHERE state = 'error' AND error_reason = ${reason}
     ORDER BY errored_at, post_id LIMIT ${limit}`;
  return rows.map((row) => row.post_id);
}
