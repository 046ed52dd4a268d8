import { describe, expect, it } from "vitest";
import { postOrders } from "./schema.ts";
import { readPlace, writePlace } from "./search-after.ts";

const moment = new Date("2026-03-01T12:00:00.123Z");

describe("search_after", () => {
  it.each([
    ["newest", null],
    ["oldest", null],
    ["author", "ann@a.example"],
    ["author", "a~b@\u00fcber.example"],
    ["author", "0.5"],
    ["ai_unsure", "0.3989000022411346"],
    ["ai_unsure", "1"],
    ["ai_unsure", "9.5e-05"],
  ] as const)("is read as it was written: %s, %s", (order, key) => {
    const place = { moment, id: 2_147_483_647, key };
    expect(readPlace(writePlace(place), order)).toEqual({ order, ...place });
  });

  it("belongs to its order", () => {
    const keyless = writePlace({ moment, id: 7, key: null });
    const named = writePlace({ moment, id: 7, key: "ann@a.example" });
    expect(postOrders.filter((order) => readPlace(keyless, order))).toEqual(["newest", "oldest"]);
    expect(postOrders.filter((order) => readPlace(named, order))).toEqual(["author"]);
  });

  it.each([
    "",
    "7",
    "~7",
    "7~",
    "x~7",
    "7~x",
    "7~2147483648",
    "999999999999999~7",
    "7~7~",
    "7~7~1.5",
    "7~7~-1",
    "7~7~x",
  ])("refuses what is none: %j", (text) => {
    expect(readPlace(text, "ai_unsure")).toBeNull();
    expect(readPlace(text, "newest")).toBeNull();
  });
});
