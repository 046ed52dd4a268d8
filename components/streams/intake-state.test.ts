import { expect, it } from "vitest";
import { intakeState, nextFetchOf, type Intake } from "./intake-state.ts";

const stream = (id: number, change: Partial<Intake> = {}): Intake => ({
  id,
  active: true,
  state: "working",
  enable_scheduling: true,
  next_scheduled_fetch: "2026-05-04T12:00:00.000Z",
  ...change,
});

it("says why no posts come in, and where that is changed", () => {
  expect(intakeState([])).toEqual({ name: "none", href: "/streams?add=1" });
  expect(intakeState([stream(1, { active: false })])).toEqual({ name: "paused", href: "/streams" });
  const failing = { state: "failing" } as const;
  expect(intakeState([stream(1, failing), stream(2, { active: false })])).toEqual({
    name: "failing",
    href: "/streams/1",
  });
  expect(intakeState([stream(1, failing), stream(2, failing)])).toEqual({
    name: "failing",
    href: "/streams",
  });
});

it("names the earliest planned fetch of the active streams", () => {
  const early = { next_scheduled_fetch: "2026-05-04T11:00:00.000Z" };
  const streams = [
    stream(1),
    stream(2, { ...early, active: false }),
    stream(3, { ...early, enable_scheduling: false }),
  ];
  expect(intakeState([...streams, stream(4, { state: "failing" })])).toEqual({
    name: "running",
    at: "2026-05-04T12:00:00.000Z",
  });
  expect(nextFetchOf(streams)).toBe("2026-05-04T12:00:00.000Z");
  expect(nextFetchOf([...streams, stream(5, early)])).toBe("2026-05-04T11:00:00.000Z");
  expect(intakeState([stream(1, { enable_scheduling: false })])).toEqual({ name: "running", at: undefined });
});
