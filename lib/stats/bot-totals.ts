import { db } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { addDays, today } from "#lib/base/today.ts";
import { sumsOf } from "./sql.ts";

export interface BotTotals {
  delivered: number;
  errors: number;
}

/** Posts that a key delivered and reported as errors in the last `days` days in TIME_ZONE. */
export async function botTotals(keyId: number, days: number): Promise<BotTotals> {
  const [row] = await db.$queryRaw<BotTotals[]>`
    SELECT ${sumsOf(["delivered", "errors"])} FROM figure_now('{bot}', 'day', ${env().TIME_ZONE})
     WHERE key = ${String(keyId)} AND at >= ${addDays(today(), 1 - days)}::date`;
  return row ?? { delivered: 0, errors: 0 };
}
