import { describe, expect, it } from "vitest";
import { dayIn, startOfDay } from "./day-schema.ts";

describe("days in a zone", () => {
  it.each([
    ["2026-05-04", "UTC", "2026-05-04T00:00:00.000Z"],
    ["2026-05-04", "Europe/Berlin", "2026-05-03T22:00:00.000Z"],
    ["2026-01-04", "Europe/Berlin", "2026-01-03T23:00:00.000Z"],
    ["2026-05-04", "Pacific/Kiritimati", "2026-05-03T10:00:00.000Z"],
    ["2026-05-04", "Pacific/Pago_Pago", "2026-05-04T11:00:00.000Z"],
    ["2026-05-04", "Asia/Kathmandu", "2026-05-03T18:15:00.000Z"],
    // Clocks in Cairo go from 23:59:59 to 01:00 that night.
    ["2026-04-24", "Africa/Cairo", "2026-04-23T22:00:00.000Z"],
  ])("%s in %s begins at %s", (day, zone, expected) => {
    const start = startOfDay(day, zone);
    expect(start.toISOString()).toBe(expected);
    expect(dayIn(zone, start)).toBe(day);
    expect(dayIn(zone, new Date(start.getTime() - 1)) < day).toBe(true);
  });
});
