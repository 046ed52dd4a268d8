import type { DailyStats } from "./schema.ts";
import { compactCountersWhenMany, dayRows } from "./sql.ts";

/**
 * What happened a UTC day, oldest first.
 * @param days 1–365, today included
 */
export async function getDailyStats(days: number): Promise<DailyStats> {
  await compactCountersWhenMany();
  return { days: await dayRows(days) };
}
