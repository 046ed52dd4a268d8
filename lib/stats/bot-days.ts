import { db } from "#lib/db.ts";
import { compactFigures } from "./stored-figures.ts";

export interface BotDay {
  /** UTC day, YYYY-MM-DD. */
  date: string;
  delivered: number;
  nacks: number;
  errors: number;
  timeouts: number;
}

/**
 * How reservations of a key ended, for each of the last `days` UTC days, oldest first, empty ones included. Deliveries
 * and errors are those of the statistics (`get-bots.ts`); returned and timed-out reservations are read from the history.
 */
export async function botDays(keyId: number, days: number): Promise<BotDay[]> {
  await compactFigures(new Date(Date.now() + 1000));
  return db.$queryRaw<BotDay[]>`
    SELECT to_char(d.day, 'YYYY-MM-DD') AS date, coalesce(b.deliveries, 0) AS delivered, coalesce(e.nacks, 0) AS nacks,
           coalesce(b.errors, 0) AS errors, coalesce(e.timeouts, 0) AS timeouts
      FROM generate_series((now() AT TIME ZONE 'UTC')::date - (${days}::int - 1), (now() AT TIME ZONE 'UTC')::date, '1 day') d (day)
      LEFT JOIN stat_bot b ON b.api_key_id = ${keyId}::int AND b.day = d.day::date
      LEFT JOIN (
        SELECT (at AT TIME ZONE 'UTC')::date AS day, count(*) FILTER (WHERE action = 'nack')::int AS nacks,
               count(*) FILTER (WHERE action = 'time_out')::int AS timeouts
          FROM post_event
         WHERE api_key_id = ${keyId}::int AND action IN ('nack', 'time_out')
           AND at >= (((now() AT TIME ZONE 'UTC')::date - (${days}::int - 1))::timestamp AT TIME ZONE 'UTC')
         GROUP BY 1) e ON e.day = d.day
     ORDER BY d.day`;
}
