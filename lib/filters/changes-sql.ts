import { db, type Tx } from "#lib/db.ts";

/** What of the queue has to be looked at again: see `block_change` in the migration `blocks`. */
export interface BlockChange {
  kind: "user" | "hashtag" | "opt_out";
  /** Several patterns: only with `exact`; `any` stands for every author. */
  pattern_type: "exact" | "suffix" | "prefix" | "contains" | "any";
  /** As compared: `user@host` or parts of it in lower case, folded hashtags. */
  patterns: string[];
}

export interface BatchRow {
  outcome: "more" | "waiting" | "busy" | "done";
  looked_at: number;
  changed: number;
}

/** Notes work to be done on the queue. */
export async function insertBlockChanges(tx: Tx, changes: BlockChange[]): Promise<number[]> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    INSERT INTO block_change (kind, pattern_type, patterns)
    SELECT r.kind, r.pattern_type, r.patterns
      FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS r (kind text, pattern_type text, patterns text[])
    RETURNING id`;
  return rows.map((row) => row.id);
}

/**
 * Waits until nobody is between reading the lists and writing an entry, and lets nobody begin (7101 in the migration
 * `queue_triggers`). The last statement of a transaction that changes a list: it ends with the commit.
 */
export async function lockLists(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(7101)`;
}

/** Unfinished changes, the oldest first. */
export async function openChanges(): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`SELECT id FROM block_change ORDER BY id`;
  return rows.map((row) => row.id);
}

/** One batch of a change, in a transaction of its own. */
export async function applyBatch(change: number, read: number, write: number): Promise<BatchRow> {
  const rows = await db.$queryRaw<BatchRow[]>`
    SELECT outcome, looked_at, changed FROM apply_block_batch(${change}::int, ${read}::int, ${write}::int)`;
  return rows[0] as BatchRow;
}
