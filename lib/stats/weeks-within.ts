import { addDays, type DayRange } from "./overview-schema.ts";

export interface Part {
  /** Weeks begin on Monday. */
  grain: "day" | "week";
  from: string;
  to: string;
}

/** Whole weeks, and the days before and after them. */
export function weeksWithin({ from, to }: DayRange): Part[] {
  // getUTCDay() of Sunday is 0.
  const monday = addDays(from, (8 - new Date(from).getUTCDay()) % 7);
  let end = monday;
  while (addDays(end, 6) <= to) end = addDays(end, 7);
  if (end === monday) return [{ grain: "day", from, to }];
  const parts: Part[] = [{ grain: "week", from: monday, to: addDays(end, -7) }];
  if (from < monday) parts.push({ grain: "day", from, to: addDays(monday, -1) });
  if (end <= to) parts.push({ grain: "day", from: end, to });
  return parts;
}
