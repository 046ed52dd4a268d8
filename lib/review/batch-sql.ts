import { Prisma, type Tx } from "#lib/db.ts";

export interface BatchRow {
  id: string;
  decision: "approve" | "reject";
  note: string | null;
  was_unreviewed: number[];
  was_rejected: number[];
  was_approved: number[];
  reviewed_at: Date | null;
  undone_at: Date | null;
}

/** @param lock so that it is undone once; its posts are locked before, as a deletion does */
export async function readBatchRow(tx: Tx, id: string, lock: boolean): Promise<BatchRow | null> {
  const rows = await tx.$queryRaw<BatchRow[]>`
    SELECT id, decision, note, was_unreviewed, was_rejected, was_approved, reviewed_at, undone_at
      FROM review_batch WHERE id = ${id}::uuid ${lock ? Prisma.sql`FOR UPDATE` : Prisma.empty}`;
  return rows[0] ?? null;
}

export async function markBatchUndone(tx: Tx, id: string): Promise<void> {
  await tx.$executeRaw(
    Prisma.sql`UPDATE review_batch SET undone_at = clock_timestamp() WHERE id = ${id}::uuid`,
  );
}
