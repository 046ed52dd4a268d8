import { expect, it } from "vitest";
import { noPace, perHour, withPace } from "./pace.ts";

const at = (minutes: number) => minutes * 60_000;

it("counts decisions, batches and undos, and rates those of the last ten minutes", () => {
  let pace = noPace;
  for (let n = 0; n < 4; n++) pace = withPace(pace, 1, at(n));
  expect([pace.decided, perHour(pace)]).toEqual([4, null]);
  pace = withPace(pace, 1, at(4));
  expect(perHour(pace)).toBe(60);
  pace = withPace(pace, 3, at(4));
  expect([pace.decided, perHour(pace)]).toEqual([8, 105]);
  pace = withPace(pace, -3, at(4));
  expect([pace.decided, perHour(pace)]).toEqual([5, 60]);
  // After a pause there are too few.
  pace = withPace(pace, 1, at(60));
  expect([pace.decided, perHour(pace)]).toEqual([6, null]);
});

it("rates quick decisions over a whole minute", () => {
  let pace = noPace;
  for (let n = 0; n < 10; n++) pace = withPace(pace, 1, n * 100);
  expect(perHour(pace)).toBe(540);
});
