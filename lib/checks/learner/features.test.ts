import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blankInput } from "#tests/setup/feature-input.ts";
import { featureId, featureKey, featureNames, MAX_FEATURES, type FeatureInput } from "./features.ts";

const plain: FeatureInput = {
  ...blankInput,
  html: "<p>Free crypto giveaway</p>",
  text: "Free crypto giveaway",
};
const names = (changes: Partial<FeatureInput>) => featureNames({ ...plain, ...changes });

describe("featureNames", () => {
  it("names words and counts, no pairs of words", () => {
    expect(featureNames(plain)).toEqual(["length:1-3", "word:free", "word:crypto", "word:giveaway"]);
  });

  it.each<[string, Partial<FeatureInput>, string[]]>([
    ["language", { language: "pt-BR" }, ["language:pt-br"]],
    ["hashtags", { hashtags: ["Ｃats", "cats"] }, ["tag:cats", "tags:2-3"]],
    [
      "hosts of links",
      { links: ["https://www.Shop.example/a?b", "https://shop.example/", "no link"] },
      ["link:shop.example", "links:3-5"],
    ],
    [
      "media with alt text",
      { media: ["image"], has_alt_text: true },
      ["media:image", "attachments:1", "alt:yes"],
    ],
    ["rules", { rules: ["capitals"] }, ["rule:capitals"]],
    ["exclamation marks", { exclamations: 2 }, ["exclamations:2"]],
    ["new account", { account_age_days: 0.4 }, ["age:0"]],
    ["account from the future", { account_age_days: -3 }, ["age:0"]],
    ["markup", { html: "<ul><li>a</li></ul><blockquote>b</blockquote>" }, ["markup:list", "markup:quote"]],
    ["emoji", { text: "win 🚀" }, ["word:win", "word:🚀"]],
  ])("names %s", (_of, changes, expected) => {
    expect(names(changes)).toEqual(expect.arrayContaining(expected));
  });

  it("names no count of zero, and nothing that is unknown", () => {
    expect(names({ text: "", html: "" })).toEqual([]);
  });

  it("splits Japanese and Thai into words", () => {
    expect(names({ text: "東京の天気" })).toEqual(expect.arrayContaining(["word:東京", "word:天気"]));
    expect(names({ text: "สวัสดีครับ" })).toEqual(expect.arrayContaining(["word:สวัสดี", "word:ครับ"]));
  });

  it("keeps the metadata of a long post", () => {
    const text = Array.from({ length: 1_000 }, (_, i) => `word${i}`).join(" ");
    const tags = Array.from({ length: 1_000 }, (_, i) => `tag${i}`);
    const found = names({
      text,
      hashtags: tags,
      links: tags.map((tag) => `https://${tag}.example`),
      rules: tags,
    });
    expect(found.length).toBeLessThanOrEqual(MAX_FEATURES);
    expect(found).toEqual(expect.arrayContaining(["length:100+", "links:6+", "word:word0", "tag:tag0"]));
  });

  it("returns at most 400 distinct names for any input", () => {
    const text = fc.string({ unit: "binary", maxLength: 2_000 });
    const input = fc.record({
      text,
      html: text,
      hashtags: fc.array(text, { maxLength: 60 }),
      links: fc.array(fc.oneof(text, fc.webUrl()), { maxLength: 60 }),
      language: text,
      capitals_share: fc.double(),
      account_age_days: fc.double(),
      mentions: fc.integer(),
    });
    fc.assert(
      fc.property(input, (changes) => {
        const found = names(changes);
        expect(new Set(found).size).toBe(found.length);
        expect(found.length).toBeLessThanOrEqual(MAX_FEATURES);
        expect(names(changes)).toEqual(found);
      }),
    );
  });
});

describe("featureId", () => {
  it("depends on the installation: names that collide with one key do not with another", () => {
    const key = featureKey(new Uint8Array(32).fill(7));
    const other = featureKey(new Uint8Array(32).fill(8));
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
