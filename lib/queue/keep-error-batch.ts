import { randomUUID } from "node:crypto";
import type { Tx } from "#lib/db.ts";
import { insertErrorBatch, stampErrorBatchRow, type ErrorBatchKind } from "./error-batch-sql.ts";

/**
 * Notes what failed posts are before they are requeued or rejected together, so that it can be taken back. The caller
 * has locked their entries.
 * @returns the batch's id; null without posts
 */
export async function keepErrorBatch(
  tx: Tx,
  kind: ErrorBatchKind,
  reason: string,
  postIds: number[],
): Promise<string | null> {
  if (postIds.length === 0) return null;
  const id = randomUUID();
  await insertErrorBatch(tx, { id, kind, reason }, postIds);
  return id;
}

/** Notes when the posts of a batch were rejected: one that is decided again later is not taken back. */
export async function stampErrorBatch(tx: Tx, id: string, reviewedAt: Date | null): Promise<void> {
  await stampErrorBatchRow(tx, id, reviewedAt);
}
