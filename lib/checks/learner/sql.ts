import { z } from "zod";
import { db, type Tx } from "#lib/base/db.ts";
import type { RawRule } from "#lib/checks/results/raw-checks.ts";
import type { Counts } from "./counts.ts";

const CountRow = z.object({ feature: z.number(), reviewed: z.int(), rejected: z.int() });

/** Numbers of authors and instances in the counts. */
export async function nameNumbers(names: readonly string[], tx: Tx = db): Promise<Map<string, number>> {
  const rows = await tx.$queryRaw<{ name: string; number: number }[]>`
    SELECT name, name_number(name)::float8 AS number FROM unnest(${[...new Set(names)]}::text[]) name`;
  return new Map(rows.map(({ name, number }) => [name, number]));
}

/** Features without a review are left out. */
export async function readCounts(numbers: Iterable<number>, tx: Tx = db): Promise<Counts> {
  const list = [...new Set(numbers)].join(",");
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT feature::float8 AS feature, reviewed, rejected FROM learnt_count
     WHERE feature = ANY (string_to_array(${list}, ',')::bigint[])`;
  return new Map(
    CountRow.array()
      .parse(rows)
      .map(({ feature, ...count }) => [feature, count]),
  );
}

/** Transactions that take longer than this may be missed until their posts are decided again. */
const LONGEST = "3 minutes";
const EVENTS = 1_000;

/** Posts of the next events that may change what is learnt. `settled`: no event up to this id can appear any more. */
export async function nextEvents(tx: Tx, after: number) {
  const [row] = await tx.$queryRaw<{ last: number | null; settled: number | null; ids: number[] | null }[]>`
    SELECT max(id)::float8 AS last, (max(id) FILTER (WHERE at < now() - ${LONGEST}::interval))::float8 AS settled,
           array_agg(DISTINCT post_id) AS ids
      FROM (SELECT id, at, post_id FROM post_event
             WHERE id > ${after}::bigint AND (to_state IN ('unreviewed', 'rejected') OR action IN ('approve', 'note'))
             ORDER BY id LIMIT ${EVENTS}) e`;
  return { last: row?.last ?? null, settled: row?.settled ?? null, ids: row?.ids ?? [] };
}

/** Waits until nothing else changes the counts; also taken by unlearn(). */
export async function lockCounts(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(7107)`;
}

export interface DecidedRow {
  id: number;
  /** False: there is a decision no more, or it was none of a person or key. */
  decided: boolean;
  rejected: boolean;
  reviewed_at: Date | null;
  /** False: rejected for a reason that no text shows. */
  teaches: boolean;
  rules: RawRule[];
  warned: string[];
}

/** Those of the posts whose decision is not the learnt one. What was learnt of them is forgotten. */
export async function unlearnChanged(tx: Tx, ids: readonly number[]): Promise<DecidedRow[]> {
  const rows = await tx.$queryRaw<DecidedRow[]>`
    SELECT p.id, d.decided, p.approved IS FALSE AS rejected, p.reviewed_at, d.teaches, coalesce(c.rules, '[]') AS rules,
           ARRAY(SELECT k ->> 'name' FROM jsonb_array_elements(p.ai_checks) k
                  WHERE (k ->> 'score')::real >= (k ->> 'threshold')::real) AS warned
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

export interface LearntRow {
  post_id: number;
  author: number;
  rejected: boolean;
  reviewed_at: Date | null;
  /** Before it was learnt; null when it teaches nothing. */
  score: number | null;
  warned: string[];
  features: number[];
}

/** Of posts of which nothing is learnt. */
export async function writeLearnt(tx: Tx, rows: readonly LearntRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO learnt (post_id, author, rejected, reviewed_at, score, warned, features)
    SELECT post_id, author, rejected, reviewed_at, score, warned, features
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS v (
             post_id int, author bigint, rejected boolean, reviewed_at timestamptz, score real, warned text[],
             features bigint[])`;
  await tx.$executeRaw`
    INSERT INTO learnt_count AS c (feature, reviewed, rejected, authors)
    SELECT feature, count(*), count(*) FILTER (WHERE rejected),
           CASE WHEN feature > 0 THEN (array_agg(DISTINCT author))[:3] ELSE '{}' END
      FROM learnt, unnest(features) feature
     WHERE post_id = ANY (${rows.map((row) => row.post_id)}::int[]) GROUP BY feature ORDER BY feature
    ON CONFLICT (feature) DO UPDATE
      SET reviewed = c.reviewed + excluded.reviewed, rejected = c.rejected + excluded.rejected,
          authors = CASE WHEN cardinality(c.authors) > 2 THEN c.authors
                         ELSE ARRAY(SELECT DISTINCT unnest(c.authors || excluded.authors) LIMIT 3) END`;
}

/** Scores and decisions, in the order of the decisions. */
export async function newestScores(limit: number): Promise<{ score: number; rejected: boolean }[]> {
  const rows = await db.$queryRaw<{ score: number; rejected: boolean }[]>`
    SELECT score, rejected FROM learnt WHERE score IS NOT NULL ORDER BY reviewed_at DESC, post_id DESC LIMIT ${limit}`;
  return rows.reverse();
}

/** Decisions about deleted posts that the counts of authors keep, at most. */
const MAX_EMPTIED = 20_000;

export async function pruneLearnt(): Promise<void> {
  await db.$executeRaw`
    SELECT unlearn(ARRAY(SELECT post_id FROM learnt l WHERE NOT EXISTS (SELECT FROM post p WHERE p.id = l.post_id)
                          ORDER BY reviewed_at DESC OFFSET ${MAX_EMPTIED} LIMIT 10000), false)`;
}

/** A corrected handle of the same account, so that a later refusal finds what was learnt under the former one. */
export async function renameLearnt(tx: Tx, from: string, to: string): Promise<void> {
  await lockCounts(tx);
  await tx.$executeRaw`
    WITH n AS (SELECT name_number(${from}) AS was, name_number(${to}) AS is), moved AS (
      DELETE FROM learnt_count USING n WHERE feature = n.was RETURNING reviewed, rejected
    ), counted AS (
      INSERT INTO learnt_count AS c (feature, reviewed, rejected) SELECT n.is, reviewed, rejected FROM moved, n
      ON CONFLICT (feature) DO UPDATE SET reviewed = c.reviewed + excluded.reviewed, rejected = c.rejected + excluded.rejected
    )
    UPDATE learnt SET author = n.is, features = array_replace(features, n.was, n.is) FROM n WHERE author = n.was`;
}
