import { z } from "zod";
import { db } from "#lib/db.ts";
import { RawChecks } from "#lib/checks/results/raw-checks.ts";

const RecentRow = RawChecks.extend({ id: z.int(), approved: z.boolean().nullable() });

/**
 * Checked posts that were fetched in the last days, highest id first.
 *
 * @param before id of the last row of the batch before
 */
export async function recentRawRows(
  days: number,
  before: number | null,
  limit: number,
): Promise<z.infer<typeof RecentRow>[]> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT p.id, p.approved, c.rules, c.learner_version, c.learner_score, c.learner_reasons, c.picture_state, c.pictures,
           c.remote, coalesce(s.check_question_votes, false) AS question_votes
      FROM post p JOIN post_check c ON c.post_id = p.id LEFT JOIN stream s ON s.id = p.stream_id
     WHERE p.fetched_at > now() - ${days}::int * interval '1 day' AND p.classified_at IS NOT NULL
       AND p.erased_at IS NULL AND (${before}::int IS NULL OR p.id < ${before}::int)
     ORDER BY p.id DESC LIMIT ${limit}`;
  return RecentRow.array().parse(rows);
}
