import { db } from "#lib/base/db.ts";

/** Figures of all time by metric, those not yet compacted included, without zeros; `stream_level` and `stream` by stream id. */
export async function sumsOf(
  dimension: "level" | "stream_level" | "stream" | "all" | "host",
  key?: string | number,
): Promise<Record<string, number>> {
  const rows = await db.$queryRaw<{ metric: string; n: number }[]>`
    SELECT metric, sum(n)::int AS n FROM figure_now(ARRAY[${dimension}], 'all')
     WHERE key = coalesce(${key === undefined ? null : String(key)}::text, key)
     GROUP BY 1 HAVING sum(n) <> 0 ORDER BY 1`;
  return Object.fromEntries(rows.map(({ metric, n }) => [metric, n]));
}

/** Events that happened at another time, as facts: `[hours ago, n]`. */
export async function addEvents(event: string, hours: readonly (readonly [number, number])[]): Promise<void> {
  for (const [ago, n] of hours)
    await db.$executeRaw`INSERT INTO figure_delta (event, at, n, stream_id)
      VALUES (${event}, utc_hour(now()) - ${ago}::int * interval '1 hour', ${n}::int, 0)`;
}

export const forgetFigures = () => db.$executeRaw`TRUNCATE figure, figure_delta`;
