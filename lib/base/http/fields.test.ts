import { describe, expect, it } from "vitest";
import { jsonProblem } from "./fields.ts";

const nested = (depth: number): unknown => (depth === 0 ? "x" : [nested(depth - 1)]);

describe("jsonProblem", () => {
  it("accepts at most 32 levels and 4 KiB", () => {
    expect(jsonProblem(nested(32), 4)).toBeNull();
    expect(jsonProblem(nested(33), 4)).toBe("must not be nested deeper than 32");
    expect(jsonProblem("x".repeat(4 * 1024 - 2), 4)).toBeNull();
    expect(jsonProblem("x".repeat(4 * 1024 - 1), 4)).toBe("must not be larger than 4 KiB");
  });

  it.each([{ a: "\0" }, { "\0": 1 }, { a: ["\ud800"] }, { "\udc00": null }])("rejects %j", (value) => {
    expect(jsonProblem(value, 4)).toMatch(/NUL|well-formed/);
  });
});
