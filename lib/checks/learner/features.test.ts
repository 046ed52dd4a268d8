import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { featuresOf as names } from "#tests/setup/feature-input.ts";
import { featureId, MAX_FEATURES } from "./features.ts";

const created = (day: string) => ({ created_at: "2026-03-05T00:00:00Z", author_created_at: day });
const link = (address: string) => `<a href="${address}">${address}</a>`;

describe("featureNames", () => {
  it("names words and counts, no pairs of words, no count of zero and nothing that is unknown", () => {
    const words = ["length:2", "word:free", "word:crypto", "word:giveaway"];
    expect(names({ plain_text: "Free crypto giveaway" })).toEqual(words);
    expect(names({})).toEqual([]);
  });

  it.each<[string, Parameters<typeof names>[0], string[]]>([
    ["language", { language: "pt-BR" }, ["language:pt-br"]],
    ["hashtags", { hashtags: ["Ｃats", "cats"] }, ["tag:cats", "tags:2"]],
    [
      "hosts of links",
      {
        content: `${link("https://www.Shop.example/a?b")} ${link("https://shop.example/")} ${link("no link")}`,
      },
      ["link:shop.example", "links:2"],
    ],
    ["media", { media: [{ type: "image" }] }, ["media:image"]],
    ["new account", created("2026-03-04T12:00:00Z"), ["age:1"]],
    ["account from the future", created("2026-03-08T00:00:00Z"), ["age:1"]],
    ["emoji", { plain_text: "win 🚀" }, ["word:win", "word:🚀"]],
    ["Japanese", { plain_text: "東京の天気" }, ["word:東京", "word:天気"]],
    ["Thai", { plain_text: "สวัสดีครับ" }, ["word:สวัสดี", "word:ครับ"]],
  ])("names %s", (_of, changes, expected) => {
    expect(names(changes)).toEqual(expect.arrayContaining(expected));
  });

  it("keeps the metadata of a long post", () => {
    const tags = Array.from({ length: 1_000 }, (_, i) => `tag${i}`);
    const found = names(
      {
        plain_text: tags.map((tag) => `word${tag}`).join(" "),
        hashtags: tags,
        content: tags.map((tag) => link(`https://${tag}.example`)).join(""),
      },
      ["capitals"],
    );
    expect(found).toHaveLength(MAX_FEATURES);
    const kept = ["length:512", "links:512", "word:wordtag0", "tag:tag0", "rule:capitals"];
    expect(found).toEqual(expect.arrayContaining(kept));
  });

  it("returns at most 400 distinct names for any input", () => {
    const text = fc.string({ unit: "binary", maxLength: 1_000 });
    const input = fc.record({
      plain_text: text,
      content: fc.string({ unit: "binary", maxLength: 200 }),
      hashtags: fc.array(fc.string({ unit: "binary", maxLength: 20 }), { maxLength: 40 }),
      media: fc.array(fc.record({ type: fc.string({ unit: "binary" }) })),
      language: fc.string(),
    });
    fc.assert(
      fc.property(input, (changes) => {
        const found = names(changes);
        expect(new Set(found).size).toBe(found.length);
        expect(found.length).toBeLessThanOrEqual(MAX_FEATURES);
      }),
    );
  });
});

describe("featureId", () => {
  it("depends on the installation: names that collide with one key do not with another", () => {
    const key = "07".repeat(32);
    const other = "08".repeat(32);
    expect(featureId("tag:moss", key)).toBe(featureId("tag:moss", key));
    // With a key, as long a search as this finds nothing that holds elsewhere.
    const target = featureId("tag:moss", key) % 65_536;
    const colliding = Array.from({ length: 400_000 }, (_, i) => `tag:${i}`).filter(
      (name) => featureId(name, key) % 65_536 === target,
    );
    expect(colliding.length).toBeGreaterThan(1);
    const elsewhere = featureId("tag:moss", other) % 65_536;
    expect(colliding.filter((name) => featureId(name, other) % 65_536 === elsewhere)).toEqual([]);
  });
});
