import { toIso } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { type DetectedSoftware, SOFTWARE_CACHE_HOURS, detectSoftware, familyOf } from "./detect-software.ts";
import type { HostStateStore } from "./governed-request.ts";
import { type HostState, parseHostState } from "./governor.ts";
import type { HostRequest } from "./guarded-fetch.ts";
import { RemoteError } from "./remote-error.ts";

/** More conflicts than any number of workers causes. */
const MAX_ATTEMPTS = 100;

/** Shared by all processes. Writes are optimistic, so no connection is held during a request. */
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
  // `jsonb` changes the order of keys, so parsed values are compared.
  const before = parseHostState(JSON.parse(stored));
  return (Object.keys(state) as (keyof HostState)[]).every(
    (key) => JSON.stringify(before[key]) === JSON.stringify(state[key]),
  );
}

/**
 * Requested once a day for all processes; known software is kept until another one is read.
 *
 * @throws RemoteError when a new host cannot be asked
 */
export async function hostSoftware(
  host: string,
  request: HostRequest,
  signal?: AbortSignal,
): Promise<DetectedSoftware> {
  const rows = await db.$queryRaw<{ software: string | null; fresh: boolean }[]>`
    SELECT software, software_at > now() - ${SOFTWARE_CACHE_HOURS} * interval '1 hour' AS fresh
      FROM host_state WHERE host = ${host} AND software_at IS NOT NULL`;
  const known = rows[0];
  if (known?.fresh === true) return remembered(known.software);
  try {
    const detected = await detectSoftware(host, request, signal ? { signal } : {});
    const [kept] = await db.$queryRaw<[{ software: string | null }]>`
      INSERT INTO host_state AS h (host, software, software_at) VALUES (${host}, ${detected.name}, now())
      ON CONFLICT (host) DO UPDATE SET software = coalesce(excluded.software, h.software), software_at = now()
      RETURNING software`;
    return remembered(kept.software);
  } catch (error) {
    if (known === undefined || !(error instanceof RemoteError)) throw error;
    return remembered(known.software);
  }
}

function remembered(name: string | null): DetectedSoftware {
  return { name, family: familyOf(name) };
}

export async function waitingHostRows(): Promise<{ host: string; until: Date }[]> {
  return db.$queryRaw<{ host: string; until: Date }[]>`
    SELECT host, to_timestamp((state ->> 'wait_until')::float8 / 1000) AS until FROM host_state
     WHERE state ->> 'wait_reason' IN ('circuit_open', 'asked_to_wait')
       AND (state ->> 'wait_until')::float8 / 1000 > extract(epoch FROM now())
     ORDER BY host`;
}

export interface WaitingHost {
  host: string;
  /** ISO 8601. */
  until: string;
}

/** Hosts that asked to wait or failed repeatedly. */
export async function listWaitingHosts(): Promise<WaitingHost[]> {
  const rows = await waitingHostRows();
  return rows.map((row) => ({ host: row.host, until: toIso(row.until) }));
}
