import { z } from "zod";
import { db, type Tx } from "#lib/db.ts";

/** Newest examples that are kept and learnt from. */
export const MOST_EXAMPLES = 20_000;

const ExampleRow = z.object({
  rejected: z.boolean(),
  reviewed_at: z.date(),
  slots: z.instanceof(Uint8Array),
  vector: z.instanceof(Uint8Array).nullable(),
});
export type ExampleRow = z.infer<typeof ExampleRow>;

/** The newest, in the order of the reviews. */
export async function trainingRows(): Promise<ExampleRow[]> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT rejected, reviewed_at, slots, vector FROM (
      SELECT id, rejected, reviewed_at, slots, vector FROM check_example WHERE learn AND slots IS NOT NULL
       ORDER BY reviewed_at DESC, id DESC LIMIT ${MOST_EXAMPLES}) newest
     ORDER BY reviewed_at, id`;
  return ExampleRow.array().parse(rows);
}

export async function pruneExamples(): Promise<void> {
  await db.$executeRaw`
    DELETE FROM check_example WHERE id IN (
      SELECT id FROM check_example ORDER BY reviewed_at DESC, id DESC OFFSET ${MOST_EXAMPLES} LIMIT 10000)`;
}

/** Reviews after the newest model, at most `limit`, and seconds since it was trained; null without a model. */
export async function trainingState(limit: number): Promise<{ reviews: number; age: number | null }> {
  const rows = await db.$queryRaw<unknown[]>`
    WITH model AS (SELECT trained_through, created_at FROM check_model ORDER BY version DESC LIMIT 1)
    SELECT (SELECT count(*)::int FROM (
              SELECT FROM check_example WHERE learn AND slots IS NOT NULL
                 AND reviewed_at > coalesce((SELECT trained_through FROM model), '-infinity') LIMIT ${limit}) new) AS reviews,
           (SELECT extract(epoch FROM clock_timestamp() - created_at)::float8 FROM model) AS age`;
  return z.tuple([z.object({ reviews: z.int(), age: z.number().nullable() })]).parse(rows)[0];
}

/**
 * Examples of reviews from before there were examples; the newest reviews first.
 *
 * @returns posts that got one
 */
export async function insertPastExamples(limit: number): Promise<number[]> {
  const rows = await db.$queryRaw<{ post_id: number }[]>`
    INSERT INTO check_example (post_id, author_hmac, rejected, reviewed_at, by_key, learn, visible, slots, vector, checks)
    SELECT p.id, uri_hmac(p.author_key), NOT p.approved, p.reviewed_at, p.api_key_id IS NOT NULL, coalesce(k.learn, true),
           true, c.slots, c.vector, example_checks(p.ai_checks)
      FROM (SELECT p.*, e.api_key_id
              FROM (SELECT id, author_key, approved, reviewed_at, ai_checks, erased_at, auto_reject_reason FROM post
                     WHERE approved IS NOT NULL ORDER BY reviewed_at DESC, id DESC LIMIT ${MOST_EXAMPLES}) p,
                   LATERAL (SELECT api_key_id, source FROM post_event
                             WHERE post_id = p.id AND action IN ('approve', 'reject') ORDER BY id DESC LIMIT 1) e
             WHERE e.source IN ('screen', 'api') AND p.erased_at IS NULL
               AND (p.approved OR p.auto_reject_reason IS NULL)
               AND NOT EXISTS (SELECT FROM check_example WHERE post_id = p.id)
             ORDER BY p.reviewed_at DESC, p.id DESC LIMIT ${limit}) p
      LEFT JOIN post_check c ON c.post_id = p.id
      LEFT JOIN api_key k ON k.id = p.api_key_id
    ON CONFLICT (post_id) DO NOTHING
    RETURNING post_id`;
  return rows.map((row) => row.post_id);
}

export async function exampleIdsWithoutSlots(): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT p.id FROM check_example e JOIN post p ON p.id = e.post_id
     WHERE e.slots IS NULL AND p.erased_at IS NULL ORDER BY p.id`;
  return rows.map((row) => row.id);
}

export async function renameExampleRows(
  tx: Tx,
  handles: readonly { before: string; after: string }[],
): Promise<void> {
  await tx.$executeRaw`
    UPDATE check_example e SET author_hmac = h.after
      FROM (SELECT uri_hmac(before) AS before, uri_hmac(after) AS after
              FROM unnest(${handles.map((handle) => handle.before)}::text[],
                          ${handles.map((handle) => handle.after)}::text[]) AS h (before, after)) h
     WHERE e.author_hmac = h.before`;
}
