import { expect, it } from "vitest";
import { modeOf, nextMode, withMode } from "./modes.ts";

it("modes keep the filters", () => {
  const filters = { q: "otter", order: "ai_unsure" };
  expect(modeOf(filters)).toBe("ai_unsure");
  expect(withMode(filters, "author")).toEqual({ q: "otter", order: "author" });
  expect(withMode(filters, "oldest")).toEqual({ q: "otter" });
  expect([modeOf({}), modeOf({ order: "newest" })]).toEqual(["oldest", null]);
});

it("the key of modes goes through all of them, from another order to the first", () => {
  const orders = [{}, { order: "ai_unsure" }, { order: "author" }, { order: "newest" }];
  expect(orders.map((filters) => nextMode(filters).order)).toEqual([
    "ai_unsure",
    "author",
    undefined,
    undefined,
  ]);
});
