import { toIso } from "#lib/base/clock.ts";
import type { topical_tag } from "#prisma/generated/client.ts";
import { weekdays, type TopicalTag, type Weekday } from "./topical-schema.ts";

/** 0 = Sunday. */
export function weekdayName(day: number): Weekday {
  return weekdays[day] as Weekday;
}

export function serializeTopicalTag(row: topical_tag): TopicalTag {
  return {
    id: row.id,
    hashtag: row.hashtag,
    topical_day_of_week: row.day_of_week === null ? null : weekdayName(row.day_of_week),
    topical_month_day: row.month_day,
    created_at: toIso(row.created_at),
  };
}
