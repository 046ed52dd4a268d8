import { db, type Tx } from "#lib/base/db.ts";
import type { StoredPatternType } from "#lib/blocking/schema.ts";

/** Queue entries that a change of a list may affect. */
export interface BlockChange {
  kind: "user" | "hashtag" | "opt_out";
  /** `any`: entries of every author. Only `exact` may have several patterns. */
  pattern_type: StoredPatternType | "any";
  /** In stored form: `user@host`, a part of it or a domain in lower case, or folded hashtags. */
  patterns: string[];
}

export interface BatchRow {
  outcome: "more" | "waiting" | "busy" | "done";
  looked_at: number;
  changed: number;
}

export async function insertBlockChanges(tx: Tx, changes: BlockChange[]): Promise<number[]> {
  const rows = await tx.block_change.createManyAndReturn({ data: changes, select: { id: true } });
  return rows.map((row) => row.id);
}

/**
 * Takes advisory lock 7101 exclusively (prisma/functions/blocks.sql). Must come after everything slow in a transaction
 * that changes a list, so that the lock is short.
 */
export async function lockLists(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(7101)`;
}

/** Oldest first. */
export async function openChanges(): Promise<number[]> {
  const rows = await db.block_change.findMany({ orderBy: { id: "asc" }, select: { id: true } });
  return rows.map((row) => row.id);
}

/**
 * @param read most entries to read
 *
 * @param write most entries to write
 */
export async function applyBatch(change: number, read: number, write: number): Promise<BatchRow> {
  const rows = await db.$queryRaw<BatchRow[]>`
    SELECT outcome, looked_at, changed FROM apply_block_batch(${change}::int, ${read}::int, ${write}::int)`;
  return rows[0] as BatchRow;
}
