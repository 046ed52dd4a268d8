import { z } from "zod";
import type { db, Tx } from "#lib/db.ts";

const HitRow = z.object({ name: z.string(), hits: z.int(), approved: z.int() });

/**
 * The newest decisions about posts that a check advised to reject, since the setting of the check was changed; for the
 * rules, also since a weight was changed. Checks that have stopped are left out.
 */
export async function hitRows(
  tx: Tx | typeof db,
  names: readonly string[],
  most: number,
): Promise<z.infer<typeof HitRow>[]> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT n.name, count(h.rejected)::int AS hits, (count(*) FILTER (WHERE NOT h.rejected))::int AS approved
      FROM unnest(${[...names]}::text[]) AS n (name)
      LEFT JOIN check_setting s USING (name)
     CROSS JOIN LATERAL (SELECT greatest(s.updated_at,
             CASE WHEN n.name = 'rules' THEN (SELECT max(updated_at) FROM classify_rule) END) AS changed_at) c
     CROSS JOIN LATERAL (
             SELECT e.rejected FROM check_example e
              WHERE e.learn AND (c.changed_at IS NULL OR e.reviewed_at > c.changed_at)
                AND e.checks @> jsonb_build_array(
                      jsonb_build_object('name', n.name, 'would_reject', true, 'votes', true))
              ORDER BY e.reviewed_at DESC, e.id DESC LIMIT ${most}) h
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
