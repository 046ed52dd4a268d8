import { z } from "zod";
import { db, Prisma, type Tx } from "#lib/db.ts";

const LogState = z.object({
  decisions: z.int(),
  rejected: z.int(),
  left_out: z.int(),
  newest_id: z.string().nullable(),
  newest_at: z.date().nullable(),
  /** The last change of a reason. */
  reasons_at: z.date().nullable(),
});
/** Changes whenever the log or a reason changes. */
export type LogState = z.infer<typeof LogState>;

export async function logStateRow(): Promise<LogState> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT count(*) FILTER (WHERE learn)::int AS decisions,
           count(*) FILTER (WHERE learn AND rejected)::int AS rejected,
           count(*) FILTER (WHERE NOT learn)::int AS left_out,
           max(id)::text AS newest_id, max(reviewed_at) AS newest_at,
           (SELECT max(updated_at) FROM reject_reason) AS reasons_at
      FROM check_example`;
  return LogState.parse(rows[0]);
}

/** Bits of a character of `marks`. Without `advised` the check had no threshold yet. */
export const MARKS = { rejected: 1, flagged: 2, votes: 4, by_key: 8, blind: 16, advised: 32 } as const;
/** Code of the character without marks. */
export const MARKS_BASE = 48;

const LoggedCheckRow = z.object({
  name: z.string(),
  decisions: z.string().transform((text) => JSON.parse(text) as number[]),
  scores: z.string().transform((text) => JSON.parse(text) as number[]),
  versions: z.string().transform((text) => JSON.parse(text) as (string | null)[]),
  marks: z.string(),
});
/**
 * Decisions about posts that had a score of one check, without rejections for a reason that the check cannot see. `decisions` are places in review order, from 1; all lists have
 * the order of `decisions`, which may be any.
 */
export type LoggedCheckRow = z.infer<typeof LoggedCheckRow>;

const about = Prisma.sql`(SELECT about FROM reject_reason r WHERE r.id = reject_reason_id)`;

/** A score at the time of the decision was predicted before the decision was learnt. */
export async function loggedCheckRows(names: readonly string[]): Promise<LoggedCheckRow[]> {
  // Sorting inside the aggregates would take three times as long.
  const rows = await db.$queryRaw<unknown[]>`
    SELECT c.name, json_agg(e.place)::text AS decisions, json_agg(c.score)::text AS scores,
           json_agg(c.version)::text AS versions,
           string_agg(chr(${MARKS_BASE}::int + e.bits + CASE WHEN c.would_reject THEN ${MARKS.flagged}::int ELSE 0 END
             + CASE WHEN c.votes THEN ${MARKS.votes}::int ELSE 0 END
             + CASE WHEN c.threshold IS NOT NULL THEN ${MARKS.advised}::int ELSE 0 END), '') AS marks
      FROM (SELECT row_number() OVER (ORDER BY reviewed_at, id)::int AS place, checks, ${about} AS about,
                   CASE WHEN rejected THEN ${MARKS.rejected}::int ELSE 0 END
                   + CASE WHEN by_key THEN ${MARKS.by_key}::int WHEN visible THEN 0 ELSE ${MARKS.blind}::int END AS bits
              FROM check_example WHERE learn) e,
           jsonb_to_recordset(e.checks)
             AS c (name text, version text, score float8, threshold float8, would_reject boolean, votes boolean)
     WHERE c.name = ANY (${[...names]}::text[]) AND c.score IS NOT NULL AND check_sees(c.name, e.about)
     GROUP BY c.name`;
  return LoggedCheckRow.array().parse(rows);
}

const HitRow = z.object({ name: z.string(), hits: z.int(), approved: z.int() });

/**
 * The newest decisions about posts that a check advised to reject, for reasons that it can see, since the setting of the check was changed; for the
 * rules, also since a weight was changed. Checks that have stopped are left out.
 */
export async function hitRows(
  tx: Tx | typeof db,
  names: readonly string[],
  max: number,
): Promise<z.infer<typeof HitRow>[]> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT n.name, count(h.rejected)::int AS hits, (count(*) FILTER (WHERE NOT h.rejected))::int AS approved
      FROM unnest(${[...names]}::text[]) AS n (name)
      LEFT JOIN check_setting s USING (name)
     CROSS JOIN LATERAL (SELECT greatest(s.updated_at,
             CASE WHEN n.name = 'rules' THEN (SELECT max(updated_at) FROM classify_rule) END) AS changed_at) c
     CROSS JOIN LATERAL (
             SELECT e.rejected FROM check_example e
              WHERE e.learn AND check_sees(n.name, ${about}) AND (c.changed_at IS NULL OR e.reviewed_at > c.changed_at)
                AND e.checks @> jsonb_build_array(
                      jsonb_build_object('name', n.name, 'would_reject', true, 'votes', true))
              ORDER BY e.reviewed_at DESC, e.id DESC LIMIT ${max}) h
     WHERE s.stopped_at IS NULL
     GROUP BY n.name`;
  return HitRow.array().parse(rows);
}

export async function stopChecks(tx: Tx, checks: readonly { name: string; why: string }[]): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO check_setting (name, stopped_at, stopped_why)
    SELECT name, now(), why FROM jsonb_to_recordset(${JSON.stringify(checks)}::jsonb) AS v (name text, why text)
    ON CONFLICT (name) DO UPDATE SET stopped_at = excluded.stopped_at, stopped_why = excluded.stopped_why`;
}
