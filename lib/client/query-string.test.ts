import { describe, expect, it } from "vitest";
import { wholeNumber, withQuery } from "./query-string.ts";

it("withQuery drops empty values and keeps 0 and false", () => {
  expect(withQuery("/posts", { skip: 0, q: "", stream_id: null, order: undefined, approved: false })).toBe(
    "/posts?skip=0&approved=false",
  );
});

describe("wholeNumber", () => {
  it.each([
    ["0", 0],
    [" 7 ", 7],
    ["999999999", 999_999_999],
  ])("reads %j", (text, number) => {
    expect(wholeNumber(text)).toBe(number);
  });
  it.each([null, "", " ", "-1", "1.5", "1e9", "0x7", "1234567890"])("refuses %j", (text) => {
    expect(wholeNumber(text)).toBeNull();
  });
});
