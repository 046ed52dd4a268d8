import { db } from "#lib/base/db.ts";

/** Figures of all time by metric, open deltas included, without zeros: of all streams, of one, or of all hosts. */
export async function sumsOf(
  kind: "level" | "total" | "host",
  stream?: number,
): Promise<Record<string, number>> {
  const rows = await db.$queryRaw<{ metric: string; n: number }[]>`
    SELECT metric, sum(n)::int AS n FROM tally_now(ARRAY[${kind}])
     WHERE kind = 'host' OR key = ${String(stream ?? "")}
     GROUP BY 1 HAVING sum(n) <> 0 ORDER BY 1`;
  return Object.fromEntries(rows.map(({ metric, n }) => [metric, n]));
}

/** Events that happened at another time, as deltas: `[hours ago, n]`. */
export async function addEvents(event: string, hours: readonly (readonly [number, number])[]): Promise<void> {
  for (const [ago, n] of hours)
    await db.$executeRaw`INSERT INTO tally_delta (event, at, n, stream_id)
      VALUES (${event}, now() - ${ago}::int * interval '1 hour', ${n}::int, 0)`;
}

export const forgetFigures = () => db.$executeRaw`TRUNCATE tally, tally_delta`;
