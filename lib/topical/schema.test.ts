import { describe, expect, test } from "vitest";
import { isMonthDay } from "./schema.ts";
import { daysFrom } from "./upcoming-days.ts";

describe("a day of some year", () => {
  test.each(["01-01", "02-29", "04-30", "12-31"])("%s is one", (value) => {
    expect(isMonthDay(value)).toBe(true);
  });
  test.each(["02-30", "04-31", "00-10", "13-01", "12-00", "12-32", "1-1", "12-31 ", "", "ab-cd"])(
    "%j is none",
    (value) => {
      expect(isMonthDay(value)).toBe(false);
    },
  );
});

describe("consecutive days", () => {
  test("pass the end of a year and know their names", () => {
    expect(daysFrom("2026-12-31", 2)).toEqual([
      { date: "2026-12-31", month_day: "12-31", day_of_week: 4 },
      { date: "2027-01-01", month_day: "01-01", day_of_week: 5 },
    ]);
  });
  test("29 February comes in leap years only", () => {
    expect(daysFrom("2028-02-28", 2).map((day) => day.month_day)).toEqual(["02-28", "02-29"]);
    expect(daysFrom("2027-02-28", 2).map((day) => day.month_day)).toEqual(["02-28", "03-01"]);
  });
});
