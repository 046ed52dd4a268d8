import { expect, it } from "vitest";
import type { Stats } from "#lib/stats/schema.ts";
import { firstSteps } from "./steps-done.ts";

const none = { fetched: 0, approved: 0, rejected: 0, auto_rejected: 0, delivered: 0, errors: 0, trimmed: 0 };
const nothing = {
  total_streams: 0,
  queue_status: { pending: 0, reserved: 0, delivered: 0, error: 0 },
  all_time: none,
} as Stats;
const done = (stats: Partial<Stats>, hasKey = false) =>
  firstSteps({ ...nothing, ...stats }, hasKey, "admin")?.map((step) => step.done);

it("names what is done until the first post", () => {
  expect(done({})).toEqual([false, false, false, false, false]);
  expect(done({ total_streams: 1 })).toEqual([true, false, false, false, false]);
  expect(done({}, true)).toEqual([false, false, false, true, false]);
  expect(done({ total_streams: 1, all_time: { ...none, fetched: 1 } })).toBeUndefined();
});

it("is for admins only", () => {
  expect(firstSteps(nothing, false, "reviewer")).toBeNull();
  expect(firstSteps(nothing, false, "viewer")).toBeNull();
});
