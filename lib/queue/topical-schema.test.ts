import { describe, expect, test } from "vitest";
import { isMonthDay } from "./topical-schema.ts";

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
