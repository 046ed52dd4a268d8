import type { Tx } from "#lib/db.ts";

/**
 * Gives posts back the notes that a batch or a decision wrote over, where nobody has written another since.
 * @param by what the lines in the history call it: `batch_id` or `decision_id`
 */
export async function restoreNotes(
  tx: Tx,
  by: "batch_id" | "decision_id",
  id: string,
  postIds: number[],
): Promise<void> {
  await tx.$executeRaw`
    UPDATE post p SET reviewer_notes = e.details -> 'reviewer_notes' ->> 'from', updated_at = now()
      FROM post_event e
     WHERE p.id = ANY (${postIds}::int[]) AND e.post_id = p.id AND e.details ->> ${by}::text = ${id}
       AND e.details ? 'reviewer_notes' AND p.reviewer_notes = e.details -> 'reviewer_notes' ->> 'to'`;
}
