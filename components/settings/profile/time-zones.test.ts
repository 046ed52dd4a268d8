import { expect, it } from "vitest";
import { zoneGroups, zoneName } from "./time-zones.ts";

it("shows zones under their present names, without underscores", () => {
  expect(zoneName("America/Argentina/Buenos_Aires")).toBe("America/Argentina/Buenos Aires");
  expect(["Asia/Katmandu", "Asia/Kathmandu"].map(zoneName)).toEqual(["Asia/Kathmandu", "Asia/Kathmandu"]);
});

it("groups each zone once by region, with the city first", () => {
  const groups = zoneGroups();
  const zones = groups.flatMap((group) => group.zones);
  expect(groups.map(({ region }) => region)).toEqual(expect.arrayContaining(["Africa", "Asia", "Europe"]));
  expect(new Set(zones.map(({ value }) => value)).size).toBe(zones.length);
  expect(zones.length).toBeGreaterThan(300);
  expect(zones).toContainEqual({ value: "America/New_York", label: "New York" });
  expect(zones).toContainEqual({ value: "America/Indiana/Knox", label: "Indiana, Knox" });
});
