import { describe, expect, it } from "vitest";
import { withQuery } from "./query-string.ts";

describe("withQuery", () => {
  it("drops empty values and keeps 0 and false", () => {
    expect(withQuery("/posts", { skip: 0, q: "", stream_id: null, order: undefined, approved: false })).toBe(
      "/posts?skip=0&approved=false",
    );
  });
  it("adds nothing when all values are empty", () => {
    expect(withQuery("/posts", { q: "" })).toBe("/posts");
  });
  it("escapes values", () => {
    expect(withQuery("/posts", { q: "a&b #c" })).toBe("/posts?q=a%26b+%23c");
  });
});
