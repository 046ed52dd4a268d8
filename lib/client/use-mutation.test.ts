import { describe, expect, it } from "vitest";
import { covers } from "./use-mutation.ts";

describe("covers", () => {
  it.each([
    ["/posts", "/posts", true],
    ["/posts", "/posts?limit=1", false],
    ["/posts*", "/posts?limit=1", true],
    ["/posts*", "/postscript", true],
    ["/posts/*", "/posts", false],
  ])("%s for %s: %s", (entry, path, expected) => {
    expect(covers(entry, path)).toBe(expected);
  });
});
