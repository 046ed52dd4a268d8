import { db } from "#lib/db.ts";

export interface StateRow {
  database_bytes: number;
  oldest_pending: number | null;
  oldest_unreviewed: number | null;
}

/** Ages in seconds. The held posts are read, as by the count of the held. */
export async function stateRow(): Promise<StateRow> {
  const rows = await db.$queryRaw<StateRow[]>`
    SELECT pg_database_size(current_database())::float8 AS database_bytes,
           extract(epoch FROM now() - least(
             (SELECT min(approved_at) FROM queue_entry WHERE state = 'pending' AND holds = 0 AND not_before IS NULL),
             (SELECT min(approved_at) FROM queue_entry WHERE state = 'pending' AND holds <> 0),
             (SELECT min(approved_at) FROM queue_entry WHERE state = 'pending' AND holds = 0 AND not_before IS NOT NULL)
           ))::float8 AS oldest_pending,
           extract(epoch FROM now() - (SELECT min(created_at) FROM post WHERE approved IS NULL))::float8 AS oldest_unreviewed`;
  return rows[0] as StateRow;
}

export interface StreamRow {
  id: number;
  hashtag: string;
  instance: string;
  failures: number;
  last_success: number;
}

export function streamRows(limit: number): Promise<StreamRow[]> {
  return db.$queryRaw<StreamRow[]>`
    SELECT id, hashtag, instance, error_count AS failures,
           extract(epoch FROM coalesce(last_fetch, created_at))::float8 AS last_success
      FROM stream WHERE active ORDER BY id LIMIT ${limit}::int`;
}

export interface KeyRow {
  id: number;
  name: string;
  last_use: number | null;
  delivered: number;
  errors: number;
  nacks: number;
  timeouts: number;
}

/** Keys that may take posts. */
export function keyRows(limit: number): Promise<KeyRow[]> {
  return db.$queryRaw<KeyRow[]>`
    SELECT k.id, k.name, extract(epoch FROM k.last_used_at)::float8 AS last_use, coalesce(f.delivered, 0) AS delivered,
           coalesce(f.errors, 0) AS errors, coalesce(f.nacks, 0) AS nacks, coalesce(f.timeouts, 0) AS timeouts
      FROM (SELECT * FROM api_key
             WHERE 'consume' = ANY (scopes) AND revoked_at IS NULL AND coalesce(expires_at > now(), true)
             ORDER BY id LIMIT ${limit}::int) k
      LEFT JOIN (SELECT key, coalesce(sum(n) FILTER (WHERE metric = 'delivered'), 0)::float8 AS delivered,
                        coalesce(sum(n) FILTER (WHERE metric = 'errors'), 0)::float8 AS errors,
                        coalesce(sum(n) FILTER (WHERE metric = 'nacks'), 0)::float8 AS nacks,
                        coalesce(sum(n) FILTER (WHERE metric = 'timeouts'), 0)::float8 AS timeouts
                   FROM figure_now('{bot}', 'week') WHERE bucket = -1 GROUP BY key) f ON f.key = k.id::text
     ORDER BY k.id`;
}

export interface JobRow {
  job: string;
  runs: number;
  failures: number;
  seconds: number;
  last_run: number;
}

export function jobRows(): Promise<JobRow[]> {
  return db.$queryRaw<JobRow[]>`
    SELECT job, runs::float8 AS runs, failures::float8 AS failures, seconds,
           extract(epoch FROM last_run_at)::float8 AS last_run
      FROM job_run ORDER BY job`;
}

export interface CountRow {
  state: string;
  n: number;
}

export function countRows(): Promise<CountRow[]> {
  return db.$queryRaw<CountRow[]>`
    SELECT state ->> 'wait_reason' AS state, count(*)::int AS n FROM host_state
     WHERE state ->> 'wait_reason' IN ('circuit_open', 'asked_to_wait')
       AND (state ->> 'wait_until')::float8 / 1000 > extract(epoch FROM now()) GROUP BY 1`;
}
