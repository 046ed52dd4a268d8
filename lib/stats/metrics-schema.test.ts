import { expect, test } from "vitest";
import { percent } from "./metrics-schema.ts";

test("a rate of nothing is 0", () => {
  expect([percent(0, 0), percent(5, 12)]).toEqual([0, 41.67]);
});
