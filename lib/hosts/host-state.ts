import { db } from "#lib/db.ts";
import type { HostStateStore } from "#lib/fediverse/governed-request.ts";
import { parseHostState, type HostState } from "#lib/fediverse/governor.ts";

/** More conflicts in a row than any number of workers can cause; reached only when something is broken. */
const MAX_ATTEMPTS = 100;

/**
 * What the governor knows of a host, shared by all processes. Read, changed and written back only when nobody
 * else has written meanwhile, so no connection is held while a host is asked, and it works behind a transaction
 * pooler.
 */
export const hostStates: HostStateStore = {
  async update(host, change) {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const stored = await readState(host);
      const { state, answer } = change(parseHostState(stored === null ? null : JSON.parse(stored)));
      const written = JSON.stringify(state);
      if (stored !== null && sameState(stored, state)) return answer;
      if (await writeState(host, stored, written)) return answer;
    }
    throw new Error(`the state of ${host} could not be written`);
  },
};

async function readState(host: string): Promise<string | null> {
  const rows = await db.$queryRaw<
    { state: string }[]
  >`SELECT state::text AS state FROM host_state WHERE host = ${host}`;
  return rows[0]?.state ?? null;
}

async function writeState(host: string, before: string | null, after: string): Promise<boolean> {
  const written =
    before === null
      ? await db.$executeRaw`INSERT INTO host_state (host, state) VALUES (${host}, ${after}::jsonb) ON CONFLICT DO NOTHING`
      : await db.$executeRaw`UPDATE host_state SET state = ${after}::jsonb, updated_at = now()
                             WHERE host = ${host} AND state = ${before}::jsonb`;
  return written === 1;
}

function sameState(stored: string, state: HostState): boolean {
  // Key order differs between jsonb and us, so both are compared as parsed values.
  const before = parseHostState(JSON.parse(stored));
  return (Object.keys(state) as (keyof HostState)[]).every(
    (key) => JSON.stringify(before[key]) === JSON.stringify(state[key]),
  );
}
