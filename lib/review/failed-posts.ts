import type { Principal } from "#lib/auth/principal.ts";
import { actionIdFor, errorPostRows, takeCountedErrors } from "#lib/queue/error-groups.ts";
import type { ErrorBatch, ErrorBatchUndone, ErrorGroup } from "#lib/queue/schema.ts";
import { inTransaction } from "#lib/transaction.ts";
import { decideLocked, lockForReview } from "./decide-posts.ts";
import { undoBatchOf } from "./undo-posts.ts";

/** Oldest error first. `undoErrors` reverts it. */
export async function dismissErrors(principal: Principal, group: ErrorGroup): Promise<ErrorBatch> {
  const { reason, limit } = group;
  return inTransaction(async (tx) => {
    const counted = await takeCountedErrors(tx, principal, "dismiss", group);
    const listed = await errorPostRows(tx, reason, limit);
    const ids = counted === null ? listed : listed.filter((id) => counted.includes(id));
    const locked = await lockForReview(tx, ids);
    const failed = locked.filter(({ state }) => state === "error");
    const id = actionIdFor(principal, group);
    const record = { id, kind: "errors", details: { change: "dismiss" } } as const;
    const { changed } = await decideLocked(tx, principal, failed, false, { note: reason, record });
    return { changed: changed.length, batch_id: changed.length > 0 ? id : null };
  });
}

/**
 * Returns posts to `error` with reason, details and position, unless reserved or decided again.
 *
 * @throws batch_not_found: unknown, older than a day, or with posts that the key may not change; batch_undone
 */
export async function undoErrors(principal: Principal, id: string): Promise<ErrorBatchUndone> {
  const { restored, edited, kept } = await undoBatchOf(principal, id, ["errors", "delivery"]);
  const left = kept.filter(({ limit }) => limit !== "deleted");
  return { changed: restored.length, unchanged: left.length + edited.length };
}
