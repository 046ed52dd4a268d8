import { db, Prisma, type Tx } from "./db.ts";
import { env } from "./env.ts";

/** Deltas (prisma/functions/tally.sql) that one statement compacts. */
const BATCH = 20_000;
/** Open deltas that a read may add up itself, in some milliseconds. */
const MAX_OPEN_DELTAS = 2_000;
const CHECK_INTERVAL_MS = 1_000;

/**
 * Adds open deltas to the tally, in batches, until the deadline. Another process that compacts ends it as well.
 *
 * @param minOpen nothing is done while fewer deltas are open
 */
export async function compactTally(deadline: Date, minOpen = 0): Promise<void> {
  while ((await compactBatch(minOpen)) === BATCH && Date.now() < deadline.getTime());
}

let lastCheck = 0;

/** Call it before a read of figures. Compacts for up to a second, so that reads stay fast while no worker compacts. */
export async function compactBeforeRead(): Promise<void> {
  if (Date.now() - lastCheck < CHECK_INTERVAL_MS) return;
  lastCheck = Date.now();
  await compactTally(new Date(lastCheck + 1000), MAX_OPEN_DELTAS);
}

/** @returns the number of compacted deltas; 0 while another process compacts */
async function compactBatch(minOpen: number): Promise<number> {
  const rows = await db.$queryRaw<{ n: number }[]>`
    SELECT compact_tally(${env().TIME_ZONE}, ${BATCH}::int) AS n
      FROM (SELECT max(id) - min(id) AS open FROM tally_delta) d WHERE open >= ${minOpen}::int`;
  return rows[0]?.n ?? 0;
}

const none = {
  /** Number of stored posts and entries by state. */
  levels: {
    unreviewed: 0,
    approved: 0,
    rejected: 0,
    auto_rejected: 0,
    with_media: 0,
    pending: 0,
    reserved: 0,
    delivered: 0,
    error: 0,
  },
  /** Number of events of all time. */
  events: {
    fetched: 0,
    approved: 0,
    rejected: 0,
    auto_rejected: 0,
    delivered: 0,
    errors: 0,
    nacks: 0,
    timeouts: 0,
    trimmed: 0,
  },
};
export type Totals = typeof none;

/** Select list over rows of `totalSums`, for `totalsOf`. */
export const totalColumns = Prisma.sql`
  jsonb_object_agg(metric, n) FILTER (WHERE kind = 'level') AS levels,
  jsonb_object_agg(metric, n) FILTER (WHERE kind = 'total') AS events`;

/**
 * SQL of rows `(kind, key, metric, n)`. The key is a stream's id, or '' for all streams. Sums are float8, exact up to 2^53,
 * because the driver reads bigint as BigInt.
 */
export const totalSums = (keys: Prisma.Sql) => Prisma.sql`(
  SELECT kind, key, metric, sum(n)::float8 AS n FROM tally_now('{level,total}') WHERE ${keys} GROUP BY 1, 2, 3) t`;

/** A row with `totalColumns`; null where no figure was found. */
type TotalRow = { [Part in keyof Totals]: Totals[Part] | null };

/** The totals of a row, with 0 for figures that are not stored. */
export function totalsOf({ levels, events }: Partial<TotalRow> = {}): Totals {
  return { levels: { ...none.levels, ...levels }, events: { ...none.events, ...events } };
}

/** Totals of all streams, with the database's time. */
export async function readTotals(tx: Tx = db): Promise<Totals & { now: Date }> {
  const [row] = await tx.$queryRaw<[TotalRow & { now: Date }]>`
    SELECT now() AS now, ${totalColumns} FROM ${totalSums(Prisma.sql`key = ''`)}`;
  return { now: row.now, ...totalsOf(row) };
}
