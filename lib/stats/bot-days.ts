import { db } from "#lib/db.ts";
import { sumsOf } from "./sql.ts";
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
    SELECT to_char(d.day, 'YYYY-MM-DD') AS date, coalesce(b.delivered, 0)::int AS delivered, coalesce(e.nacks, 0) AS nacks,
           coalesce(b.errors, 0)::int AS errors, coalesce(e.timeouts, 0) AS timeouts
      FROM generate_series((now() AT TIME ZONE 'UTC')::date - (${days}::int - 1), (now() AT TIME ZONE 'UTC')::date, '1 day') d (day)
      LEFT JOIN (
        SELECT at, ${sumsOf(["delivered", "errors"])} FROM figure
         WHERE dimension = 'bot' AND grain = 'day' AND key = ${String(keyId)} AND bucket = -1
           AND at >= (now() AT TIME ZONE 'UTC')::date - (${days}::int - 1)
         GROUP BY 1) b ON b.at = d.day
      LEFT JOIN (
        SELECT (at AT TIME ZONE 'UTC')::date AS day, count(*) FILTER (WHERE action = 'nack')::int AS nacks,
               count(*) FILTER (WHERE action = 'time_out')::int AS timeouts
          FROM post_event
         WHERE api_key_id = ${keyId}::int AND action IN ('nack', 'time_out')
           AND at >= (((now() AT TIME ZONE 'UTC')::date - (${days}::int - 1))::timestamp AT TIME ZONE 'UTC')
         GROUP BY 1) e ON e.day = d.day
     ORDER BY d.day`;
}
