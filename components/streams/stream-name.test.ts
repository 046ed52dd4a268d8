import { expect, test } from "vitest";
import { approvalRate } from "./stream-name.ts";

test.each([
  [{ post_count: 0, approved_count: 0, rejected_count: 0 }, null],
  [{ post_count: 40, approved_count: 0, rejected_count: 0 }, null],
  [{ post_count: 40, approved_count: 0, rejected_count: 1 }, 0],
  [{ post_count: 40, approved_count: 30, rejected_count: 10 }, 75],
])("the approval rate of %j is %s", (stream, rate) => {
  expect(approvalRate(stream)).toBe(rate);
});
