import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normaliseStatus } from "./normalise-status.ts";
import { ACCOUNT, CONTEXT, STATUS } from "#tests/setup/status-sample.ts";

/** JSON values, also those that PostgreSQL rejects. */
const nasty = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom("\0", "a\0b", "\ud800", "\udc00x", "x".repeat(5_000), -1, 1e308, Number.MAX_SAFE_INTEGER),
  fc.string({ unit: "binary", maxLength: 50 }),
);

function assertStorable(value: unknown): void {
  const json = JSON.stringify(value);
  expect(JSON.parse(json)).toEqual(value);
  expect(json).not.toContain("\\u0000");
  const check = (item: unknown): void => {
    if (typeof item === "string") expect(item.isWellFormed()).toBe(true);
    else if (typeof item === "number") expect(Number.isFinite(item)).toBe(true);
    else if (typeof item === "object" && item !== null) Object.values(item).forEach(check);
    else expect(item === null || typeof item === "boolean").toBe(true);
  };
  check(value);
}

describe("properties of normaliseStatus", () => {
  const keys = Object.keys(STATUS) as (keyof typeof STATUS)[];
  const accountKeys = Object.keys(ACCOUNT) as (keyof typeof ACCOUNT)[];

  it("never throws", () => {
    fc.assert(
      fc.property(nasty, (raw) => {
        const result = normaliseStatus(raw, CONTEXT);
        expect(typeof result.ok).toBe("boolean");
        assertStorable(result);
      }),
    );
  });

  it("accepts missing and mistyped fields, and its output fits PostgreSQL and JSON", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...keys, "interaction_policy", "quote", "quote_approval"), nasty, {
          maxKeys: 6,
        }),
        fc.dictionary(fc.constantFrom(...accountKeys, "moved"), nasty, { maxKeys: 4 }),
        fc.array(nasty, { maxLength: 3 }),
        (changes, accountChanges, list) => {
          const result = normaliseStatus(
            {
              ...STATUS,
              account: { ...ACCOUNT, ...accountChanges },
              tags: list,
              media_attachments: list,
              ...changes,
            },
            CONTEXT,
          );
          assertStorable(result);
          if (!result.ok) return;
          expect(result.post.snippet).not.toBe("");
          expect(result.post.author.account).toMatch(/^@[^@\s]+@[^@\s]+$/u);
          expect(result.post.hashtags).toHaveLength(result.post.hashtags_folded.length);
          expect(new Set(result.post.hashtags_folded).size).toBe(result.post.hashtags.length);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("keeps a post without its optional fields", () => {
    for (const key of keys) {
      const changes = { ...STATUS, [key]: null };
      const result = normaliseStatus(changes, CONTEXT);
      const needed = ["id", "uri", "account"].includes(key);
      expect([key, result.ok]).toEqual([key, !needed]);
    }
    for (const key of accountKeys) {
      const result = normaliseStatus({ ...STATUS, account: { ...ACCOUNT, [key]: null } }, CONTEXT);
      expect([key, result.ok]).toEqual([key, true]);
    }
  });
});
