import { expect, it } from "vitest";
import { dayOf, filterWords } from "./filter-words.ts";

it("says a time of the address as a day of the member's zone, and leaves a day and wrong values as they are", () => {
  const since = "2026-11-27T23:00:00.000Z";
  const said = (value: string, zone: string) =>
    filterWords("since", { happened: "delivered", since: value }, { streams: [] }, [], zone);
  expect(said(since, "Europe/Berlin")).toBe("Delivered from 28 Nov 2026");
  expect(said(since, "America/New_York")).toBe("Delivered from 27 Nov 2026");
  expect(said("2026-11-27", "America/New_York")).toBe("Delivered from 27 Nov 2026");
  expect(said("yesterday", "UTC")).toBe("Delivered from yesterday");
  expect(dayOf(since, "Europe/Berlin")).toBe("2026-11-28");
});
