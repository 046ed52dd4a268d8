import { db, type Tx } from "#lib/base/db.ts";

export const optOutResolutions = ["confirmed", "dismissed"] as const;
export type OptOutResolution = (typeof optOutResolutions)[number];

/** False when one is open. */
export async function insertOptOut(
  tx: Tx,
  report: { author_key: string; post_id: number; reason: string },
): Promise<boolean> {
  const rows = await tx.$queryRaw<{ author_key: string }[]>`
    INSERT INTO reported_opt_out AS o (author_key, reason, post_id)
    VALUES (${report.author_key}, ${report.reason}, ${report.post_id})
    ON CONFLICT (author_key) DO UPDATE
      SET reason = excluded.reason, post_id = excluded.post_id, reported_at = now(), resolved_at = NULL, resolution = NULL
      WHERE o.resolved_at IS NOT NULL
    RETURNING author_key`;
  return rows.length > 0;
}

/** Null when none is open. */
export async function closeOptOut(
  tx: Tx,
  authorKey: string,
  resolution: OptOutResolution,
): Promise<{ post_id: number | null } | null> {
  const rows = await tx.$queryRaw<{ post_id: number | null }[]>`
    UPDATE reported_opt_out SET resolved_at = now(), resolution = ${resolution}
     WHERE author_key = ${authorKey} AND resolved_at IS NULL
    RETURNING post_id`;
  const [report] = rows;
  // The learner forgets the author's posts, too.
  if (report !== undefined && resolution === "confirmed")
    await tx.$executeRaw`SELECT unlearn_authors(ARRAY[${authorKey}])`;
  return report ?? null;
}

export interface ReportHolds {
  /** A report is open. */
  open: boolean;
  /** Pending posts that only the report holds. */
  only: number[];
  /** Pending posts that something else holds, too. */
  also: number;
}

/** 32 is the bit of reported opt-outs (lib/queue/holds.ts). */
export async function heldByReport(tx: Tx, authorKey: string): Promise<ReportHolds> {
  const rows = await tx.$queryRaw<ReportHolds[]>`
    SELECT EXISTS (SELECT FROM reported_opt_out WHERE author_key = ${authorKey} AND resolved_at IS NULL) AS open,
           coalesce(array_agg(post_id ORDER BY post_id) FILTER (WHERE holds = 32), '{}') AS only,
           (count(*) FILTER (WHERE holds <> 32))::int AS also
      FROM queue_entry
     WHERE (author_key = ${authorKey} OR related @> ARRAY[${authorKey}::text]) AND state = 'pending' AND holds & 32 <> 0`;
  return rows[0] as ReportHolds;
}

export interface OptOutRow {
  author_key: string;
  reason: string;
  post_id: number | null;
  reported_at: Date;
  held: number;
}

/** Oldest first, with the total. */
export async function openOptOuts(limit: number): Promise<{ rows: OptOutRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.$queryRaw<OptOutRow[]>`
      SELECT o.author_key, o.reason, o.post_id, o.reported_at,
             (SELECT count(*)::int FROM queue_entry e WHERE (e.author_key = o.author_key OR e.related @> ARRAY[o.author_key])
                AND e.state = 'pending') AS held
        FROM reported_opt_out o WHERE o.resolved_at IS NULL
       ORDER BY o.reported_at, o.author_key LIMIT ${limit}`,
    db.reported_opt_out.count({ where: { resolved_at: null } }),
  ]);
  return { rows, total };
}
