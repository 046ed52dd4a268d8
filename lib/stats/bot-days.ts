import { db } from "#lib/db.ts";

export interface BotDay {
  /** UTC day, YYYY-MM-DD. */
  date: string;
  delivered: number;
  nacks: number;
  errors: number;
  timeouts: number;
}

/** How reservations of a key ended, for each of the last `days` UTC days, oldest first, empty ones included. */
export async function botDays(keyId: number, days: number): Promise<BotDay[]> {
  return db.$queryRaw<BotDay[]>`
    SELECT to_char(d.day, 'YYYY-MM-DD') AS date, coalesce(e.delivered, 0) AS delivered, coalesce(e.nacks, 0) AS nacks,
           coalesce(e.errors, 0) AS errors, coalesce(e.timeouts, 0) AS timeouts
      FROM generate_series((now() AT TIME ZONE 'UTC')::date - (${days}::int - 1), (now() AT TIME ZONE 'UTC')::date, '1 day') d (day)
      LEFT JOIN (
        SELECT (at AT TIME ZONE 'UTC')::date AS day,
               count(*) FILTER (WHERE action = 'ack')::int AS delivered, count(*) FILTER (WHERE action = 'nack')::int AS nacks,
               count(*) FILTER (WHERE action = 'error')::int AS errors,
               count(*) FILTER (WHERE action = 'time_out')::int AS timeouts
          FROM post_event
         WHERE api_key_id = ${keyId}::int AND action IN ('ack', 'nack', 'error', 'time_out')
           AND at >= (((now() AT TIME ZONE 'UTC')::date - (${days}::int - 1))::timestamp AT TIME ZONE 'UTC')
         GROUP BY 1) e USING (day)
     ORDER BY d.day`;
}
