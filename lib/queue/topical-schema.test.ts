import { describe, expect, test } from "vitest";
import { isMonthDay } from "./topical-schema.ts";
import { daysFrom } from "./upcoming-days.ts";

describe("isMonthDay", () => {
  test.each(["01-01", "02-29", "04-30", "12-31"])("accepts %s", (value) => {
    expect(isMonthDay(value)).toBe(true);
  });
  test.each(["02-30", "04-31", "00-10", "13-01", "12-00", "12-32", "1-1", "12-31 ", "", "ab-cd"])(
    "rejects %j",
    (value) => {
      expect(isMonthDay(value)).toBe(false);
    },
  );
});

describe("daysFrom", () => {
  test("continues into the next year", () => {
    expect(daysFrom("2026-12-31", 2)).toEqual([
      { date: "2026-12-31", month_day: "12-31", day_of_week: 4 },
      { date: "2027-01-01", month_day: "01-01", day_of_week: 5 },
    ]);
  });
  test("includes 29 February in leap years only", () => {
    expect(daysFrom("2028-02-28", 2).map((day) => day.month_day)).toEqual(["02-28", "02-29"]);
    expect(daysFrom("2027-02-28", 2).map((day) => day.month_day)).toEqual(["02-28", "03-01"]);
  });
});
