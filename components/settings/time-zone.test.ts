import { expect, it } from "vitest";
import { allZones, zoneMatch, zoneName, zoneOffset } from "./time-zone.ts";

it("names zones as people do", () => {
  expect(zoneName("America/Argentina/Buenos_Aires")).toBe("America/Argentina/Buenos Aires");
  expect(["Asia/Katmandu", "Asia/Kathmandu"].map(zoneName)).toEqual(["Asia/Kathmandu", "Asia/Kathmandu"]);
});

it.each([
  ["kath", 2],
  ["asia", 2],
  ["andu", 1],
  ["+05:45", 1],
  ["berlin", 0],
  ["ktm", 0],
])("%s finds Kathmandu with %i", (search, rank) => {
  expect(zoneMatch(["Asia/Kathmandu", "UTC+05:45"], search)).toBe(rank);
});

it("finds names of several words", () => {
  expect(zoneMatch(["America/New York", "UTC-05:00"], "new york")).toBe(2);
  expect(zoneMatch(["America/New York", "UTC-05:00"], "New_York")).toBe(2);
});

it("writes offsets, in winter and summer, and nothing for what it does not know", () => {
  expect(zoneOffset("UTC", 0)).toBe("UTC");
  expect(zoneOffset("Europe/Berlin", Date.UTC(2026, 0, 1))).toBe("UTC+01:00");
  expect(zoneOffset("Europe/Berlin", Date.UTC(2026, 6, 1))).toBe("UTC+02:00");
  expect(zoneOffset("Mars/Olympus", 0)).toBe("");
});

it("lists UTC first and each zone once", () => {
  const zones = allZones();
  expect(zones[0]).toBe("UTC");
  expect(new Set(zones).size).toBe(zones.length);
  expect(zones.length).toBeGreaterThan(300);
});
