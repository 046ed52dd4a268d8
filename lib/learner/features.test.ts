import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blankInput } from "#tests/setup/feature-input.ts";
import {
  decodeSlots,
  encodeSlots,
  featureNames,
  MAX_FEATURES,
  SLOTS,
  slotOf,
  slotsOf,
  type FeatureInput,
} from "./features.ts";

const plain: FeatureInput = {
  ...blankInput,
  html: "<p>Free crypto giveaway</p>",
  text: "Free crypto giveaway",
  author: "a@b.example",
  instance: "b.example",
};
const names = (changes: Partial<FeatureInput>) => featureNames({ ...plain, ...changes });

describe("featureNames", () => {
  it("names words, pairs of words, author, instance and counts", () => {
    expect(featureNames(plain)).toEqual([
      "author:a@b.example",
      "instance:b.example",
      "length:1-3",
      "word:free",
      "word:crypto",
      "words:free crypto",
      "word:giveaway",
      "words:crypto giveaway",
    ]);
  });

  it.each<[string, Partial<FeatureInput>, string[]]>([
    ["stream", { stream: "Nature" }, ["stream:nature"]],
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
    ["media without alt text", { media: ["video", "video"] }, ["media:video", "attachments:2-3", "alt:no"]],
    ["content warning", { sensitive: true }, ["sensitive:yes"]],
    ["bot", { is_bot: true }, ["bot:yes"]],
    ["reply", { is_reply: true }, ["reply:yes"]],
    ["rules", { rules: ["capitals"] }, ["rule:capitals"]],
    ["mentions", { mentions: 12 }, ["mentions:10+"]],
    ["capitals", { capitals_share: 0.75 }, ["capitals:70+"]],
    ["exclamation marks", { exclamations: 2 }, ["exclamations:2"]],
    ["new account", { account_age_days: 0.4 }, ["age:0"]],
    ["account from the future", { account_age_days: -3 }, ["age:0"]],
    ["old account", { account_age_days: 900 }, ["age:365+"]],
    ["markup", { html: "<ul><li>a</li></ul><blockquote>b</blockquote>" }, ["markup:list", "markup:quote"]],
    ["emoji", { text: "win 🚀" }, ["word:🚀", "words:win 🚀"]],
  ])("names %s", (_of, changes, expected) => {
    expect(names(changes)).toEqual(expect.arrayContaining(expected));
  });

  it("names no count of zero, and nothing that is unknown", () => {
    expect(names({ author: "", instance: "", text: "", html: "" })).toEqual([]);
  });

  it("splits Japanese and Thai into words", () => {
    expect(names({ text: "東京の天気" })).toEqual(expect.arrayContaining(["word:東京", "word:天気"]));
    expect(names({ text: "สวัสดีครับ" })).toEqual(expect.arrayContaining(["word:สวัสดี", "word:ครับ"]));
  });

  it("folds width and letter case", () => {
    expect(names({ text: "ＦＲＥＥ Crypto GIVEAWAY" })).toEqual(featureNames(plain));
  });

  it("reads the first 10 000 characters", () => {
    const found = names({ text: `${"a ".repeat(4_999)}b z` });
    expect(found).toContain("word:b");
    expect(found).not.toContain("word:z");
  });

  it("takes no words from addresses and mentions", () => {
    const text = "Free https://shop.example/win?x=1 crypto @alice @bob@host.example giveaway";
    expect(names({ text })).toEqual(featureNames(plain));
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
      author: text,
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

  it.each(["a", "猫", "@a.", "a@", "https://", "<li", "ก", "\ufdfa", "👩‍👩‍👧"])(
    "reads 100 000 characters in bounded time: %s",
    (unit) => {
      const before = process.threadCpuUsage();
      names({ text: unit.repeat(100_000 / unit.length), html: unit.repeat(100_000 / unit.length) });
      expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(1_000);
    },
  );
});

describe("slotOf", () => {
  it("returns the slots that stored examples refer to", () => {
    const known = ["word:giveaway", "words:free crypto", "author:a@b.example", "tag:猫", ""];
    expect(known.map(slotOf)).toEqual([169485, 44388, 235736, 246717, 228363]);
  });

  it("keeps words, pairs of words and metadata apart", () => {
    const texts = fc.string({ unit: "grapheme", maxLength: 20 });
    fc.assert(
      fc.property(texts, (text) => {
        expect(Math.floor((4 * slotOf(`words:${text}`)) / SLOTS)).toBeLessThan(2);
        expect(Math.floor((4 * slotOf(`word:${text}`)) / SLOTS)).toBe(2);
        expect(Math.floor((4 * slotOf(`author:${text}`)) / SLOTS)).toBe(3);
      }),
    );
  });

  it("spreads similar names evenly", () => {
    const used = new Set(Array.from({ length: 20_000 }, (_, i) => slotOf(`words:a ${i}`)));
    // 20 000 random draws from 131 072 leave 18 553 distinct ones on average.
    expect(used.size).toBeGreaterThan(18_300);
  });
});

describe("encoded slots", () => {
  const slots = fc.array(fc.nat(SLOTS - 1), { maxLength: MAX_FEATURES });

  it("are read back sorted and distinct", () => {
    fc.assert(
      fc.property(slots, (list) => {
        const expected = [...new Set(list)].sort((a, b) => a - b);
        expect([...decodeSlots(encodeSlots(list))]).toEqual(expected);
      }),
    );
  });

  it("are the slots of the names", () => {
    const list = featureNames(plain);
    expect(decodeSlots(encodeSlots(list.map(slotOf)))).toEqual(slotsOf(list));
  });

  it("take two bytes a slot in a post of 130 features", () => {
    const list = Array.from({ length: 130 }, (_, i) => slotOf(`words:a ${i}`));
    expect(encodeSlots(list).length).toBeLessThan(2.2 * 130);
  });

  it.each([[-1], [SLOTS], [1.5], [NaN]])("refuse %d", (slot) => {
    expect(() => encodeSlots([slot])).toThrow(RangeError);
  });

  it.each<[string, number[]]>([
    ["an unfinished number", [5, 128]],
    ["a number past the last slot", [255, 255, 127]],
    ["a number of too many bytes", [129, 128, 128, 1]],
    ["a number with needless bytes", [129, 0]],
  ])("refuse %s", (_name, bytes) => {
    expect(() => decodeSlots(Uint8Array.from(bytes))).toThrow(RangeError);
  });

  it("that can be read have one form", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        let list: Uint32Array;
        try {
          list = decodeSlots(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
          return;
        }
        expect(encodeSlots([...list])).toEqual(bytes);
      }),
    );
  });
});
