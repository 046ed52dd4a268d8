import { z } from "zod";
import { db, Prisma } from "#lib/base/db.ts";
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
  prediction: z.number().nullable(),
  author_reviewed: z.int(),
  author_rejected: z.int(),
  instance_reviewed: z.int(),
  instance_rejected: z.int(),
});
export type ExampleRow = z.infer<typeof ExampleRow>;

/** Of a row of `check_example`. A rejection for a reason that no text shows teaches the learner nothing. */
const teaches = Prisma.sql`
  ((SELECT about FROM reject_reason r WHERE r.id = reject_reason_id) IN ('text', 'both')) IS NOT FALSE`;

/** The newest, in the order of the reviews, with the earlier reviews of the author and of the instance. */
export async function trainingRows(): Promise<ExampleRow[]> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT id, author, rejected, reviewed_at, features, prediction, author_reviewed, author_rejected, instance_reviewed,
           instance_rejected
      FROM (SELECT *, (dense_rank() OVER (ORDER BY author_hmac))::int AS author,
                   (count(*) OVER author)::int AS author_reviewed,
                   (count(*) FILTER (WHERE rejected) OVER author)::int AS author_rejected,
                   (CASE WHEN instance_hmac IS NOT NULL THEN count(*) OVER instance ELSE 0 END)::int AS instance_reviewed,
                   (CASE WHEN instance_hmac IS NOT NULL THEN count(*) FILTER (WHERE rejected) OVER instance ELSE 0 END)::int
                     AS instance_rejected
              FROM check_example
            WINDOW author AS (PARTITION BY author_hmac ORDER BY reviewed_at, id
                              ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
                   instance AS (PARTITION BY instance_hmac ORDER BY reviewed_at, id
                                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) e
     WHERE (emptied OR features <> '{}') AND ${teaches}
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
        FROM k JOIN check_example e ON e.author_hmac = k.hmac GROUP BY k.key`,
    db.$queryRaw<unknown[]>`
      WITH k AS MATERIALIZED (SELECT key, uri_hmac(key) AS hmac FROM unnest(${[...new Set(instances)]}::text[]) key)
      SELECT k.key, count(*)::int AS reviewed, (count(*) FILTER (WHERE e.rejected))::int AS rejected
        FROM k JOIN check_example e ON e.instance_hmac = k.hmac GROUP BY k.key`,
  ]);
  return { authors: mapOf(byAuthor), instances: mapOf(byInstance) };
}

/** Decisions that the learner may learn from. */
export async function reviewsToLearn(): Promise<{ approvals: number; rejections: number }> {
  const [row] = await db.$queryRaw<{ approvals: number; rejections: number }[]>`
    SELECT (count(*) FILTER (WHERE NOT rejected))::int AS approvals, (count(*) FILTER (WHERE rejected))::int AS rejections
      FROM check_example WHERE (emptied OR features <> '{}') AND ${teaches}`;
  return row ?? { approvals: 0, rejections: 0 };
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
});

/**
 * `reviews` after the newest model, at most `limit`; `age` of that model in seconds, null without one; `removed`: features
 * that it learnt are gone.
 */
export async function trainingState(limit: number): Promise<z.infer<typeof TrainingState>> {
  const rows = await db.$queryRaw<unknown[]>`
    WITH model AS (
      SELECT trained_through, created_at, (metrics ->> 'with_features')::int AS learnt
        FROM check_model ORDER BY version DESC LIMIT 1)
    SELECT (SELECT count(*)::int FROM (
              SELECT FROM check_example WHERE features <> '{}' AND ${teaches}
                 AND reviewed_at > coalesce((SELECT trained_through FROM model), '-infinity') LIMIT ${limit}) new) AS reviews,
           (SELECT extract(epoch FROM clock_timestamp() - created_at)::float8 FROM model) AS age,
           coalesce((SELECT learnt > (SELECT count(*) FROM check_example
                                       WHERE features <> '{}' AND ${teaches} AND reviewed_at <= trained_through)
                       FROM model), false) AS removed`;
  return z.tuple([TrainingState]).parse(rows)[0];
}
