import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import { atLeastOneKey } from "#lib/base/http/fields.ts";
import { hashtagField } from "#lib/fediverse/hashtag.ts";

/** The database stores the index: 0 is Sunday. */
export const weekdays = [
  "Sunday",
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
] as const;
export type Weekday = (typeof weekdays)[number];

const DAYS_OF_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether `MM-DD` is a day of some year: `02-29` is, `02-30` is not. */
export function isMonthDay(value: string): boolean {
  const [, month, day] = /^(\d\d)-(\d\d)$/.exec(value) ?? [];
  const days = DAYS_OF_MONTH[Number(month) - 1];
  return days !== undefined && Number(day) >= 1 && Number(day) <= days;
}

const weekday = z
  .enum(weekdays, { error: `must be one of ${weekdays.join(", ")}, or null` })
  .nullable()
  .describe("Day of the week on which the rule applies; null for none.");

const monthDay = z
  .string()
  .refine(isMonthDay, "must be a day such as 10-04, or null")
  .nullable()
  .meta({
    override: { type: ["string", "null"], pattern: "^\\d{2}-\\d{2}$" },
    description: "Day of the year as `MM-DD`; null for none.",
    example: "05-09",
  });

const days = { topical_day_of_week: weekday, topical_month_day: monthDay };

export const TopicalTag = z
  .object({
    id: common.id,
    hashtag: common.hashtag,
    ...days,
    created_at: common.created_at,
  })
  .meta({ id: "TopicalTag" });
export type TopicalTag = z.infer<typeof TopicalTag>;

/** Needs at least one of the two days. */
export const TopicalTagCreate = z
  .object({
    hashtag: hashtagField,
    ...z.object(days).partial().shape,
  })
  .refine((body) => (body.topical_day_of_week ?? body.topical_month_day ?? null) !== null, {
    message: "must name topical_day_of_week or topical_month_day",
  })
  .meta({ id: "TopicalTagCreate", example: { hashtag: "caturday", topical_day_of_week: "Saturday" } });
export type TopicalTagCreate = z.output<typeof TopicalTagCreate>;

/** Change of the days. Null removes one; one has to remain. */
export const TopicalTagUpdate = atLeastOneKey(z.object(days).partial()).meta({
  id: "TopicalTagUpdate",
  example: { topical_month_day: "10-04" },
});
export type TopicalTagUpdate = z.output<typeof TopicalTagUpdate>;
