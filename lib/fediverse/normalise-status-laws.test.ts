import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ACCOUNT, CONTEXT, STATUS } from "#tests/setup/status-sample.ts";
import { normaliseStatus } from "./normalise-status.ts";

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

  it("leaves no run of more than 30 combining marks in any text, however it is written", () => {
    const marks = fc.array(
      fc.constantFrom(
        "\u0301",
        "\u0323",
        "&#x301;",
        "&#803;",
        "<b>\u0301</b>",
        "<i></i>",
        "\0",
        "\uff9e",
        '<span class="invisible">x</span>',
      ),
      { minLength: 100, maxLength: 400 },
    );
    const longestRun = (value: unknown): number => {
      if (typeof value === "string")
        return Math.max(0, ...(value.match(/[\p{M}\uff9e]+/gu) ?? []).map((run) => run.length));
      if (typeof value !== "object" || value === null) return 0;
      return Math.max(0, ...Object.values(value).map(longestRun));
    };
    fc.assert(
      fc.property(marks, (parts) => {
        const text = `a${parts.join("")}`;
        const emojis = [{ shortcode: text, url: "https://a.example/" }];
        const result = normaliseStatus(
          {
            ...STATUS,
            content: text,
            spoiler_text: text,
            tags: [{ name: text }],
            emojis,
            media_attachments: [{ type: "image", url: "https://a.example/", description: text }],
            poll: { options: [{ title: text, votes_count: 1 }] },
            card: { url: "https://a.example/", title: text, description: text, provider_name: text },
            quote: { state: text },
            account: {
              ...ACCOUNT,
              display_name: text,
              note: text,
              fields: [{ name: text, value: text }],
              emojis,
            },
          },
          CONTEXT,
        );
        expect(result.ok).toBe(true);
        expect(longestRun(result)).toBeLessThanOrEqual(30);
      }),
    );
  });
});
