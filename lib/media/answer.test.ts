import { describe, expect, it } from "vitest";
import { readRange } from "./answer.ts";

describe("readRange", () => {
  it.each([
    ["bytes=0-9", { from: 0, to: 9 }],
    ["bytes=90-", { from: 90, to: 99 }],
    ["bytes=90-500", { from: 90, to: 99 }],
    ["bytes=99-99", { from: 99, to: 99 }],
    ["bytes=-10", { from: 90, to: 99 }],
    ["bytes=-500", { from: 0, to: 99 }],
    ["bytes=100-", "unsatisfiable"],
    ["bytes=100-200", "unsatisfiable"],
    ["bytes=-0", "unsatisfiable"],
    ["bytes=9-3", "all"],
    ["bytes=-", "all"],
    ["bytes=0-1,5-6", "all"],
    ["items=0-1", "all"],
    ["bytes=a-b", "all"],
    [null, "all"],
  ])("reads %s of a hundred bytes", (header, expected) => {
    expect(readRange(header, 100)).toEqual(expected);
  });
});
