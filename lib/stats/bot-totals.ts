import { db } from "#lib/db.ts";
import { sumsOf } from "./sql.ts";
import { compactFigures } from "./stored-figures.ts";

export interface BotTotals {
  delivered: number;
  errors: number;
}

/** Posts that a key delivered and reported as errors in the last `days` UTC days. */
export async function botTotals(keyId: number, days: number): Promise<BotTotals> {
  await compactFigures(new Date(Date.now() + 1000));
  const [row] = await db.$queryRaw<BotTotals[]>`
    SELECT ${sumsOf(["delivered", "errors"])} FROM figure
     WHERE dimension = 'bot' AND grain = 'day' AND key = ${String(keyId)} AND bucket = -1
       AND at >= (now() AT TIME ZONE 'UTC')::date - (${days}::int - 1)`;
  return row ?? { delivered: 0, errors: 0 };
}
