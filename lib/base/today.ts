import { now } from "./clock.ts";
import { dayIn, startOfDay } from "./day-schema.ts";
import { env } from "./env.ts";

/* One "today" for every count: the present day in TIME_ZONE. */

/** `YYYY-MM-DD`. */
export function today(): string {
  return dayIn(env().TIME_ZONE, now());
}

/** First moment of a day in TIME_ZONE. @param day `YYYY-MM-DD` */
export function startOf(day: string): Date {
  return startOfDay(day, env().TIME_ZONE);
}

/** @param days negative: before `day` */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}
