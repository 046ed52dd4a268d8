import { db, Prisma, type Tx } from "./db.ts";
import { env } from "./env.ts";

/** Deltas (prisma/functions/tally.sql) that compact in one go. */
const BATCH = 20_000;
/** Deltas that a read adds up, in some milliseconds. */
const MANY = 2_000;
const LOOK_EVERY_MS = 1_000;

/** Until few deltas are left, the deadline has passed, or another process does it. */
export async function compactTally(deadline: Date, over = 0): Promise<void> {
  while ((await compact(over)) === BATCH && Date.now() < deadline.getTime());
}

let looked = 0;

/** Before a read of figures: its cost stays the same while no worker compacts. For a second at most. */
export async function shortenTally(): Promise<void> {
  if (Date.now() - looked < LOOK_EVERY_MS) return;
  looked = Date.now();
  await compactTally(new Date(looked + 1000), MANY);
}

async function compact(over: number): Promise<number> {
  const rows = await db.$queryRaw<{ n: number }[]>`
    SELECT compact_tally(${env().TIME_ZONE}, ${BATCH}::int) AS n
      FROM (SELECT max(id) - min(id) AS open FROM tally_delta) d WHERE open >= ${over}::int`;
  return rows[0]?.n ?? 0;
}

const none = {
  /** Of stored posts and entries, by state. */
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
  /** Of all time. */
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

/** SQL of rows `(kind, key, metric, n)`; the key '' is all streams. Sums are float8, exact up to 2^53: bigint would be a BigInt. */
export const totalSums = (keys: Prisma.Sql) => Prisma.sql`(
  SELECT kind, key, metric, sum(n)::float8 AS n FROM tally_now('{level,total}') WHERE ${keys} GROUP BY 1, 2, 3) t`;

/** Null: no row was found. */
type TotalRow = { [Part in keyof Totals]: Totals[Part] | null };

export function totalsOf({ levels, events }: Partial<TotalRow> = {}): Totals {
  return { levels: { ...none.levels, ...levels }, events: { ...none.events, ...events } };
}

/** Of all streams. */
export async function readTotals(tx: Tx | typeof db = db): Promise<Totals & { now: Date }> {
  const [row] = await tx.$queryRaw<[TotalRow & { now: Date }]>`
    SELECT now() AS now, ${totalColumns} FROM ${totalSums(Prisma.sql`key = ''`)}`;
  return { now: row.now, ...totalsOf(row) };
}
