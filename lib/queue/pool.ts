import { db } from "#lib/db.ts";
import { log } from "#lib/log.ts";

/** Posts that a reservation chooses from, and the order of the choice. */
export interface Pool {
  /** Empty for all. */
  streams: number[];
  topical: boolean;
  random: boolean;
}

export interface ReserveOptions {
  random: boolean;
  include_topical: boolean;
  /** Has no effect without `include_topical`. */
  topical_only: boolean;
}

/** Pools of a request in the order in which they are tried, topical ones first. Their streams depend on the key. */
export function poolsOf({ random, include_topical, topical_only }: ReserveOptions): Omit<Pool, "streams">[] {
  const pools = [
    { topical: true, random },
    { topical: false, random },
  ];
  return pools.filter(({ topical }) => (topical ? include_topical : !include_topical || !topical_only));
}

const NOTE_INTERVAL_MS = 10 * 60_000;
const noted = new Map<string, number>();

/** Stores that the pool is in use, for the source checks ahead of it. Not awaited. */
export function notePool({ streams, ...pool }: Pool): void {
  const value = JSON.stringify({ ...pool, streams: streams.toSorted((a, b) => a - b) });
  if (Date.now() - (noted.get(value) ?? 0) < NOTE_INTERVAL_MS) return;
  noted.set(value, Date.now());
  db.$executeRaw`
    INSERT INTO queue_use (pool) VALUES (${value}::jsonb) ON CONFLICT (pool) DO UPDATE SET used_at = now()`.catch(
    (error: unknown) => log.warn({ err: error, pool: value }, "use of a pool not stored"),
  );
}

/** Of the last three days. Older ones are deleted. */
export async function poolsInUse(): Promise<Pool[]> {
  await db.$executeRaw`DELETE FROM queue_use WHERE used_at < now() - interval '3 days'`;
  const rows = await db.$queryRaw<{ pool: Pool }[]>`SELECT pool FROM queue_use ORDER BY pool`;
  return rows.map(({ pool }) => pool);
}
