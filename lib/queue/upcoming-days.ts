import { db } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import type { Weekday } from "./topical-schema.ts";
import { weekdayName } from "./serialize-topical.ts";
import { supplyByTag, todayIn } from "./topical-sql.ts";

export interface UpcomingRule {
  id: number;
  hashtag: string;
  /** Eligible posts now. */
  supply: number;
}

export interface UpcomingDay {
  /** `YYYY-MM-DD` in TIME_ZONE. */
  date: string;
  day_of_week: Weekday;
  /** Empty on days that are not topical. */
  rules: UpcomingRule[];
}

const DAYS = 14;

/** Today and the next thirteen days in TIME_ZONE. */
export async function upcomingDays(): Promise<UpcomingDay[]> {
  const [today, tags, supply] = await Promise.all([
    todayIn(env().TIME_ZONE),
    db.topical_tag.findMany({ orderBy: { id: "asc" } }),
    supplyByTag(),
  ]);
  return daysFrom(today, DAYS).map((day) => ({
    date: day.date,
    day_of_week: weekdayName(day.day_of_week),
    rules: tags
      .filter((tag) => tag.day_of_week === day.day_of_week || tag.month_day === day.month_day)
      .map((tag) => ({ id: tag.id, hashtag: tag.hashtag, supply: supply.get(tag.hashtag_folded) ?? 0 })),
  }));
}

/**
 * @param first `YYYY-MM-DD`
 */
export function daysFrom(
  first: string,
  count: number,
): { date: string; month_day: string; day_of_week: number }[] {
  // In UTC every day has 24 hours.
  const start = Date.parse(`${first}T00:00:00Z`);
  return Array.from({ length: count }, (_, n) => {
    const day = new Date(start + n * 86_400_000);
    const date = day.toISOString().slice(0, 10);
    return { date, month_day: date.slice(5), day_of_week: day.getUTCDay() };
  });
}
