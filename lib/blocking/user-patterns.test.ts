import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normaliseUserPattern, showUserPattern } from "./user-patterns.ts";
import { patternTypes } from "./schema.ts";

describe("normaliseUserPattern, exact", () => {
  test.each([
    ["user@host.example", "user@host.example"],
    ["@User@Host.Example", "user@host.example"],
    ["  @user@host.example\n", "user@host.example"],
    ["https://host.example/@user", "user@host.example"],
    ["host.example/@user", "user@host.example"],
    ["https://host.example/@user/112233", "user@host.example"],
    ["https://host.example/@user@elsewhere.example", "user@elsewhere.example"],
    ["https://host.example/deck/@user@elsewhere.example", "user@elsewhere.example"],
    ["https://elk.example/host.example/@user", "user@host.example"],
    ["https://host.example/users/user", "user@host.example"],
    ["https://host.example/users/user/statuses/1", "user@host.example"],
    ["https://host.example/profile/user", "user@host.example"],
    ["https://pixels.example/Painter", "painter@pixels.example"],
    ["https://host.example/%40user", "user@host.example"],
    ["https://bücher.example/@user", "user@xn--bcher-kva.example"],
    ["https://127.0.0.1:4001/@user", "user@127.0.0.1:4001"],
  ])("reads %j as %s", (written, pattern) => {
    expect(normaliseUserPattern(written, "exact")).toEqual({ ok: true, pattern });
  });

  test.each([
    "user",
    "user@",
    "@@host.example",
    "*@host.example",
    "https://host.example/",
    "https://host.example/about",
    "https://host.example/tags/cats",
    "https://host.example/%E0%A4%A",
    "   ",
  ])("refuses %j", (written) => {
    expect(normaliseUserPattern(written, "exact")).toMatchObject({ ok: false });
  });
});

describe("normaliseUserPattern, open patterns", () => {
  test.each([
    ["suffix", "*.bsky.app", ".bsky.app"],
    ["suffix", "**@BSKY.app", "@bsky.app"],
    ["suffix", ".bücher.example", ".xn--bcher-kva.example"],
    ["suffix", "bot@host.example:4001", "bot@host.example:4001"],
    ["prefix", "bot*", "bot"],
    ["prefix", "@Bot**", "bot"],
    ["contains", "*spam*", "spam"],
    ["contains", "日本", "日本"],
    ["domain", "Bad.Example", "bad.example"],
    ["domain", "*@bad.example.", "bad.example"],
    ["domain", ".bad.example", "bad.example"],
    ["domain", "https://bücher.example/", "xn--bcher-kva.example"],
  ] as const)("reads %s %j as %s", (type, written, pattern) => {
    expect(normaliseUserPattern(written, type)).toEqual({ ok: true, pattern });
  });

  test.each([
    ["contains", ""],
    ["contains", "*"],
    ["contains", "a"],
    ["contains", "@"],
    ["contains", "a*b"],
    ["contains", "a b"],
    ["suffix", "*"],
    ["prefix", "*bot"],
    ["domain", "user@bad.example"],
    ["domain", "bad.example/about"],
    ["domain", "b*d.example"],
  ] as const)("refuses %s %j", (type, written) => {
    expect(normaliseUserPattern(written, type)).toMatchObject({ ok: false });
  });
});

test("normalising a stored or a shown pattern changes nothing", () => {
  const text = fc.string({ unit: fc.constantFrom(..."abzAZ09@.*-_:/ü日"), maxLength: 24 });
  fc.assert(
    fc.property(text, fc.constantFrom(...patternTypes), (written, type) => {
      const first = normaliseUserPattern(written, type);
      if (!first.ok) return;
      expect(normaliseUserPattern(first.pattern, type)).toEqual(first);
      expect(normaliseUserPattern(showUserPattern(first.pattern, type), type)).toEqual(first);
      expect(first.pattern).not.toContain("*");
      expect(first.pattern).toBe(first.pattern.toLowerCase());
    }),
    { numRuns: 2000 },
  );
});
