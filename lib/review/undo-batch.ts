import type { Principal } from "#lib/auth/principal.ts";
import { ApiError } from "#lib/errors.ts";
import { beyondReach } from "#lib/posts/beyond-reach.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { lockBatchRow, markBatchUndone } from "./batch-sql.ts";
import { decidePosts, type Unchanged } from "./decide-posts.ts";
import { inTransaction } from "#lib/transaction.ts";
import { BATCH_TIMEOUT_MS } from "./run-batch.ts";
import type { BatchResult } from "./batch-schema.ts";
import { restoreNotes } from "./notes-sql.ts";
import { returnErrors } from "./return-errors.ts";
import type { Verdict } from "./state.ts";
import { unchangedReason } from "./unchanged-reason.ts";

/**
 * Takes a batch back: each post it changed returns to what it was, unless it was handed out or decided again.
 * @throws batch_not_found, batch_undone
 */
export async function undoBatch(principal: Principal, id: string): Promise<BatchResult> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) throw new ApiError("batch_not_found");
  return inTransaction(async (tx) => {
    const batch = await lockBatchRow(tx, id);
    // Undone once and for all: whoever reaches only some of its posts must not use that up.
    const ids = batch ? [...batch.was_unreviewed, ...batch.was_rejected, ...batch.was_approved] : [];
    if (!batch || (await beyondReach(tx, principal, ids)).length > 0) throw new ApiError("batch_not_found");
    if (batch.undone_at !== null) throw new ApiError("batch_undone");
    const back: [number[], Verdict][] = [
      [batch.was_unreviewed, null],
      [batch.was_rejected, false],
      [batch.was_approved, true],
    ];
    let changed = 0;
    const unchanged: Unchanged[] = [];
    for (const [ids, verdict] of back) {
      if (ids.length === 0) continue;
      const decided = await decidePosts(tx, principal, ids, verdict, {
        note: "batch undone",
        details: { batch_id: batch.id },
        undoes: true,
        only: (post) => post.reviewed_at?.getTime() === batch.reviewed_at?.getTime(),
      });
      const returned = decided.changed.map((post) => post.id);
      if (verdict === true) await returnErrors(tx, principal, returned, batch.reviewed_at);
      if (batch.note !== null) await restoreNotes(tx, "batch_id", batch.id, returned);
      changed += decided.changed.length;
      unchanged.push(...decided.unchanged);
    }
    await markBatchUndone(tx, batch.id);
    const details = { batch: batch.id, decision: batch.decision, changed };
    await recordEvents(tx, principal, [{ post_id: 0, action: "batch_undo", details }]);
    return {
      batch_id: batch.id,
      changed,
      unchanged: unchanged.map((each) => ({ post_id: each.id, detail: unchangedReason(each) })),
    };
  }, BATCH_TIMEOUT_MS);
}
