import { db, type Tx } from "#lib/base/db.ts";
import type { RawRule } from "#lib/checks/results/raw-checks.ts";
import type { Counts } from "./counts.ts";

/** Those without a review are left out. */
export async function readCounts(ids: readonly number[], names: readonly string[]): Promise<Counts> {
  const rows = await db.$queryRaw<{ key: number | string; reviewed: number; rejected: number }[]>`
    WITH wanted AS (
      SELECT feature, to_jsonb(feature) AS key
        FROM unnest(string_to_array(${[...new Set(ids)].join(",")}, ',')::bigint[]) feature
      UNION ALL
      SELECT name_number(name), to_jsonb(name) FROM unnest(${[...new Set(names)]}::text[]) name
    )
    SELECT key, reviewed, rejected FROM wanted JOIN learnt_count USING (feature)`;
  return new Map(rows.map(({ key, ...count }) => [key, count]));
}

/**
 * Posts of the next events that may change what is learnt. `settled`: no event up to this id can appear any more, but for
 * transactions of more than three minutes, whose posts are missed until they are decided again.
 */
export async function nextEvents(tx: Tx, after: number) {
  // Waits until nothing else changes the counts; also taken by unlearn().
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(7107)`;
  const [row] = await tx.$queryRaw<{ last: number | null; settled: number | null; ids: number[] | null }[]>`
    SELECT max(id)::float8 AS last, (max(id) FILTER (WHERE at < now() - interval '3 minutes'))::float8 AS settled,
           array_agg(DISTINCT post_id) AS ids
      FROM (SELECT id, at, post_id FROM post_event
             WHERE id > ${after}::bigint AND (to_state IN ('unreviewed', 'rejected') OR action IN ('approve', 'note'))
             ORDER BY id LIMIT 1000) e`;
  return { last: row?.last ?? null, settled: row?.settled ?? null, ids: row?.ids ?? [] };
}

/**
 * Forgets what was learnt of those of the posts whose decision is not the learnt one, and returns them. `decided`: by a person
 * or key; `teaches`: not rejected for a reason that no text shows.
 */
export async function unlearnChanged(tx: Tx, ids: readonly number[]) {
  const rows = await tx.$queryRaw<{ id: number; decided: boolean; teaches: boolean; rules: RawRule[] }[]>`
    SELECT p.id, d.decided, d.teaches, coalesce(c.rules, '[]') AS rules
      FROM post p LEFT JOIN post_check c ON c.post_id = p.id LEFT JOIN learnt l ON l.post_id = p.id
           LEFT JOIN reject_reason r ON r.id = p.reject_reason_id,
           LATERAL (SELECT p.approved IS NOT NULL AND (p.approved OR p.auto_reject_reason IS NULL) AND p.erased_at IS NULL
                             AS decided, (r.about IN ('text', 'both')) IS NOT FALSE AS teaches) d
     WHERE p.id = ANY (${[...ids]}::int[])
       AND CASE WHEN d.decided
                THEN (l.rejected, 0 = ANY (l.features), l.author)
                     IS DISTINCT FROM (NOT p.approved, d.teaches, name_number(p.author_key))
                ELSE l.post_id IS NOT NULL END
     ORDER BY p.id`;
  if (rows.length > 0) await tx.$executeRaw`SELECT unlearn(${rows.map(({ id }) => id)}::int[], false)`;
  return rows;
}

/** @param rows posts of which nothing is learnt, and their features besides author and instance; none: they teach nothing */
export async function writeLearnt(
  tx: Tx,
  rows: readonly { id: number; features: number[] }[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO learnt (post_id, author, rejected, reviewed_at, score, warned, features)
    SELECT p.id, name_number(p.author_key), NOT p.approved, p.reviewed_at,
           CASE WHEN cardinality(v.features) > 0 THEN c.learner_score END,
           ARRAY(SELECT k ->> 'name' FROM jsonb_array_elements(p.ai_checks) k
                  WHERE (k ->> 'score')::real >= (k ->> 'threshold')::real),
           ARRAY[name_number(p.author_key), name_number(p.instance)] || v.features
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS v (id int, features bigint[])
      JOIN post p ON p.id = v.id LEFT JOIN post_check c ON c.post_id = p.id`;
  await tx.$executeRaw`
    INSERT INTO learnt_count AS c (feature, reviewed, rejected, authors)
    SELECT feature, count(*), count(*) FILTER (WHERE rejected),
           CASE WHEN feature > 0 THEN (array_agg(DISTINCT author))[:3] ELSE '{}' END
      FROM learnt, unnest(features) feature
     WHERE post_id = ANY (${rows.map((row) => row.id)}::int[]) GROUP BY feature ORDER BY feature
    ON CONFLICT (feature) DO UPDATE
      SET reviewed = c.reviewed + excluded.reviewed, rejected = c.rejected + excluded.rejected,
          authors = CASE WHEN cardinality(c.authors) > 2 THEN c.authors
                         ELSE ARRAY(SELECT DISTINCT unnest(c.authors || excluded.authors) LIMIT 3) END`;
}

/**
 * The lowest score from which rejections may be advised: among the newest 2,000 decisions, the lower bound (Wilson 1927,
 * one-sided 95 %) of the share of rejections among the posts whose score reached it before their decision is 0.85 or more, which
 * takes 16 rejections at least. Never below 0.5. Null when there is none.
 */
export async function chooseThreshold(): Promise<number | null> {
  const [row] = await db.$queryRaw<{ threshold: number | null }[]>`
    SELECT round(min(score)::numeric, 4)::float8 AS threshold
      FROM (SELECT score, (count(*) OVER best)::float8 AS n, (count(*) FILTER (WHERE rejected) OVER best)::float8 AS hits
              FROM (SELECT score, rejected FROM learnt WHERE score IS NOT NULL
                     ORDER BY reviewed_at DESC, post_id DESC LIMIT 2000) newest
            WINDOW best AS (ORDER BY score DESC)) t,
           LATERAL (SELECT hits / n AS share, 1.6449 ^ 2 / n AS z) s
     WHERE score >= 0.5 AND (share + z / 2 - sqrt(z * (share * (1 - share) + z / 4))) / (1 + z) >= 0.85`;
  return row?.threshold ?? null;
}

/** The counts of authors keep the newest 20,000 decisions about deleted posts. */
export async function pruneLearnt(): Promise<void> {
  await db.$executeRaw`
    SELECT unlearn(ARRAY(SELECT post_id FROM learnt l WHERE NOT EXISTS (SELECT FROM post p WHERE p.id = l.post_id)
                          ORDER BY reviewed_at DESC OFFSET 20000 LIMIT 10000), false)`;
}
