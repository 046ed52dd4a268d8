import { db } from "#lib/db.ts";

/** Hosts whose governor waits (lib/fediverse/governor.ts): longer than the back-off of a single failure. */
export async function waitingHostRows(): Promise<{ host: string; until: Date }[]> {
  return db.$queryRaw<{ host: string; until: Date }[]>`
    SELECT host, to_timestamp((state ->> 'wait_until')::float8 / 1000) AS until FROM host_state
     WHERE state ->> 'wait_reason' IN ('circuit_open', 'asked_to_wait')
       AND (state ->> 'wait_until')::float8 / 1000 > extract(epoch FROM now())
     ORDER BY host`;
}
