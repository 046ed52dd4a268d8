import { z } from "zod";
import { db, type Tx } from "#lib/db.ts";
import type { ReviewCount } from "#lib/checks/learner/model.ts";

/** Newest examples that are kept and learnt from. */
export const MAX_EXAMPLES = 20_000;

const ExampleRow = z.object({
  id: z.bigint(),
  /** The same number in rows of the same author. */
  author: z.int(),
  rejected: z.boolean(),
  reviewed_at: z.date(),
  /** None in an emptied example. Not read one by one: there are more than a million. */
  features: z.custom<readonly number[]>(Array.isArray),
  vector: z.instanceof(Uint8Array).nullable(),
  prediction: z.number().nullable(),
  author_reviewed: z.int(),
  author_rejected: z.int(),
  instance_reviewed: z.int(),
  instance_rejected: z.int(),
});
export type ExampleRow = z.infer<typeof ExampleRow>;

/** The newest, in the order of the reviews, with the earlier reviews of the author and of the instance. */
export async function trainingRows(): Promise<ExampleRow[]> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT id, author, rejected, reviewed_at, features, vector, prediction, author_reviewed, author_rejected, instance_reviewed,
           instance_rejected
      FROM (SELECT *, (dense_rank() OVER (ORDER BY author_hmac))::int AS author,
                   (count(*) OVER author)::int AS author_reviewed,
                   (count(*) FILTER (WHERE rejected) OVER author)::int AS author_rejected,
                   (CASE WHEN instance_hmac IS NOT NULL THEN count(*) OVER instance ELSE 0 END)::int AS instance_reviewed,
                   (CASE WHEN instance_hmac IS NOT NULL THEN count(*) FILTER (WHERE rejected) OVER instance ELSE 0 END)::int
                     AS instance_rejected
              FROM check_example WHERE learn
            WINDOW author AS (PARTITION BY author_hmac ORDER BY reviewed_at, id
                              ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
                   instance AS (PARTITION BY instance_hmac ORDER BY reviewed_at, id
                                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) e
     WHERE emptied OR features <> '{}'
     ORDER BY reviewed_at, id`;
  return ExampleRow.array().parse(rows);
}

/** Raw predictions of examples that had none. */
export async function storePredictions(
  predictions: readonly { id: bigint; prediction: number }[],
): Promise<void> {
  await db.$executeRaw`
    UPDATE check_example e SET prediction = v.prediction
      FROM unnest(${predictions.map(({ id }) => id)}::bigint[],
                  ${predictions.map(({ prediction }) => prediction)}::real[]) AS v (id, prediction)
     WHERE e.id = v.id AND e.prediction IS NULL`;
}

const CountRow = z.object({ key: z.string(), reviewed: z.int(), rejected: z.int() });

/** Reviews of the posts by these authors, and of these instances. Exact: the names are compared, no features. */
export async function pastReviewRows(
  authorKeys: readonly string[],
  instances: readonly string[],
): Promise<{ authors: Map<string, ReviewCount>; instances: Map<string, ReviewCount> }> {
  const mapOf = (rows: unknown[]) =>
    new Map(
      CountRow.array()
        .parse(rows)
        .map(({ key, ...count }) => [key, count]),
    );
  const [byAuthor, byInstance] = await Promise.all([
    db.$queryRaw<unknown[]>`
      WITH k AS MATERIALIZED (SELECT key, uri_hmac(key) AS hmac FROM unnest(${[...new Set(authorKeys)]}::text[]) key)
      SELECT k.key, count(*)::int AS reviewed, (count(*) FILTER (WHERE e.rejected))::int AS rejected
        FROM k JOIN check_example e ON e.author_hmac = k.hmac WHERE e.learn GROUP BY k.key`,
    db.$queryRaw<unknown[]>`
      WITH k AS MATERIALIZED (SELECT key, uri_hmac(key) AS hmac FROM unnest(${[...new Set(instances)]}::text[]) key)
      SELECT k.key, count(*)::int AS reviewed, (count(*) FILTER (WHERE e.rejected))::int AS rejected
        FROM k JOIN check_example e ON e.instance_hmac = k.hmac WHERE e.learn GROUP BY k.key`,
  ]);
  return { authors: mapOf(byAuthor), instances: mapOf(byInstance) };
}

export async function pruneExamples(): Promise<void> {
  await db.$executeRaw`
    DELETE FROM check_example WHERE id IN (
      SELECT id FROM check_example ORDER BY reviewed_at DESC, id DESC OFFSET ${MAX_EXAMPLES} LIMIT 10000)`;
}

const TrainingState = z.object({
  reviews: z.int(),
  age: z.number().nullable(),
  removed: z.boolean(),
  filling: z.boolean(),
});

/**
 * `reviews` after the newest model, at most `limit`; `age` of that model in seconds, null without one; `removed`: features
 * that it learnt are gone; `filling`: stored posts are still getting features.
 */
export async function trainingState(limit: number): Promise<z.infer<typeof TrainingState>> {
  const rows = await db.$queryRaw<unknown[]>`
    WITH model AS (
      SELECT trained_through, created_at, (metrics ->> 'with_features')::int AS learnt
        FROM check_model WHERE state <> '' ORDER BY version DESC LIMIT 1)
    SELECT (SELECT count(*)::int FROM (
              SELECT FROM check_example WHERE learn AND features <> '{}'
                 AND reviewed_at > coalesce((SELECT trained_through FROM model), '-infinity') LIMIT ${limit}) new) AS reviews,
           (SELECT extract(epoch FROM clock_timestamp() - created_at)::float8 FROM model) AS age,
           coalesce((SELECT learnt > (SELECT count(*) FROM check_example
                                       WHERE learn AND features <> '{}' AND reviewed_at <= trained_through)
                       FROM model), false) AS removed,
           EXISTS (SELECT FROM check_job WHERE name = 'features' AND NOT finished) AS filling`;
  return z.tuple([TrainingState]).parse(rows)[0];
}

/**
 * Examples of reviews from before there were examples; the newest reviews first.
 *
 * @returns posts that got one
 */
export async function insertPastExamples(limit: number): Promise<number[]> {
  const rows = await db.$queryRaw<{ post_id: number }[]>`
    INSERT INTO check_example (post_id, author_hmac, instance_hmac, rejected, reviewed_at, by_key, learn, visible, features,
                               vector, checks)
    SELECT p.id, uri_hmac(p.author_key), uri_hmac(p.instance), NOT p.approved, p.reviewed_at, p.api_key_id IS NOT NULL,
           coalesce(k.learn, true), true, coalesce(c.features, '{}'), c.vector, example_checks(p.ai_checks)
      FROM (SELECT p.*, e.api_key_id
              FROM (SELECT id, author_key, instance, approved, reviewed_at, ai_checks, erased_at, auto_reject_reason FROM post
                     WHERE approved IS NOT NULL ORDER BY reviewed_at DESC, id DESC LIMIT ${MAX_EXAMPLES}) p,
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

export async function exampleIdsWithoutFeatures(): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT p.id FROM check_example e JOIN post p ON p.id = e.post_id
     WHERE e.features = '{}' AND p.erased_at IS NULL ORDER BY p.id`;
  return rows.map((row) => row.id);
}

export async function renameExampleRows(
  tx: Tx,
  handles: readonly { before: string; after: string }[],
): Promise<void> {
  await tx.$executeRaw`
    UPDATE check_example e SET author_hmac = h.after, instance_hmac = h.instance
      FROM (SELECT uri_hmac(before) AS before, uri_hmac(after) AS after, uri_hmac(substring(after FROM '[^@]*$')) AS instance
              FROM unnest(${handles.map((handle) => handle.before)}::text[],
                          ${handles.map((handle) => handle.after)}::text[]) AS h (before, after)) h
     WHERE e.author_hmac = h.before`;
}
