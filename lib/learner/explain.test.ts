import { describe, expect, it } from "vitest";
import { explain, reasonSentences } from "./explain.ts";
import { SLOTS, slotOf } from "./features.ts";

const state = (weights: Record<string, number>) => {
  const all = new Float32Array(SLOTS);
  for (const [name, weight] of Object.entries(weights)) all[slotOf(name)] = weight;
  return { examples: 100, bias: 0, weights: all, vectorWeights: null };
};
const found = (weights: Record<string, number>) =>
  Object.entries(weights).map(([feature, weight]) => ({ feature, weight }));

describe("explain", () => {
  const model = state({ "word:win": 2, "word:bird": -3, "tag:moss": 0.5, "word:rain": 1, "word:other": 9 });
  const names = ["word:rain", "word:win", "word:bird", "tag:moss", "word:unknown"];

  it("returns the strongest features of the post, those for a rejection first", () => {
    expect(explain(model, names, 3)).toEqual([
      { feature: "word:win", weight: 2 },
      { feature: "word:rain", weight: 1 },
      { feature: "word:bird", weight: -3 },
    ]);
  });

  it("leaves out features that the model does not know", () => {
    expect(explain(model, names, 10)).toHaveLength(4);
    expect(explain(model, ["word:unknown"], 10)).toEqual([]);
  });
});

describe("reasonSentences", () => {
  it("puts words into one sentence, without words of a pair", () => {
    const weights = {
      "word:giveaway": 3,
      "words:free crypto": 2,
      "word:crypto": 1.5,
      "word:airdrop": 1,
      "word:dog": 0.7,
    };
    expect(reasonSentences(found(weights))).toEqual([
      "The words “giveaway”, “free crypto” and “airdrop” are typical of posts that you rejected.",
    ]);
    expect(reasonSentences(found({ "word:moss": -1 }))).toEqual([
      "The word “moss” is typical of posts that you approved.",
    ]);
  });

  it("says at most three, the strongest for a rejection first", () => {
    const weights = {
      "tag:a": 1,
      "word:bird": -4,
      "link:x.example": 3,
      "author:a@b.example": 2,
      "tag:b": 0.9,
    };
    expect(reasonSentences(found(weights))).toEqual([
      "Posts with a link to “x.example” were rejected before.",
      "Posts by this author were rejected before.",
      "Posts with the hashtag “#a” were rejected before.",
    ]);
  });

  it("leaves out influences that are weak beside the strongest", () => {
    expect(reasonSentences(found({ "word:giveaway": 5, "word:rain": 0.9, "tag:moss": -0.9 }))).toEqual([
      "The word “giveaway” is typical of posts that you rejected.",
    ]);
    expect(reasonSentences([])).toEqual([]);
  });

  it("keeps a word of one ideograph", () => {
    expect(reasonSentences(found({ "word:猫": 1 }))).toHaveLength(1);
  });

  it("uses counts, and drops a reason that they contradict", () => {
    const weights = { "author:a@b.example": 2, "instance:b.example": 1, "tag:moss": -1 };
    const counts = new Map([
      ["author:a@b.example", { reviewed: 11, rejected: 9 }],
      ["instance:b.example", { reviewed: 4, rejected: 0 }],
      ["tag:moss", { reviewed: 8, rejected: 1 }],
    ]);
    expect(reasonSentences(found(weights), counts)).toEqual([
      "You rejected 9 of 11 posts by this author.",
      "You approved 7 of 8 posts with the hashtag “#moss”.",
    ]);
  });

  it.each([
    ["stream:nature", "Posts of the stream “nature”"],
    ["language:pt-br", "Posts in Brazilian Portuguese"],
    ["language:??", "Posts in the language “??”"],
    ["media:video", "Posts with an attachment of type “video”"],
    ["rule:many_mentions", "Posts with the finding “many mentions”"],
    ["alt:yes", "Posts with alt text"],
    ["alt:no", "Posts with media but without alt text"],
    ["sensitive:yes", "Posts marked as sensitive"],
    ["bot:yes", "Posts by accounts marked as bots"],
    ["reply:yes", "Replies"],
    ["links:1", "Posts with 1 link"],
    ["links:3-5", "Posts with 3 to 5 links"],
    ["mentions:10+", "Posts with 10 or more mentions"],
    ["tags:2-3", "Posts with 2 to 3 hashtags"],
    ["age:0", "Posts by accounts less than a day old"],
    ["age:365+", "Posts by accounts a year or more old"],
    ["age:1-2", "Posts by accounts 1 to 2 days old"],
    ["capitals:40-69", "Posts with 40 to 69 % capital letters"],
    ["exclamations:6+", "Posts with 6 or more exclamation marks"],
    [`tag:${"猫".repeat(50)}`, `Posts with the hashtag “#${"猫".repeat(39)}…”`],
  ])("describes %s", (feature, posts) => {
    expect(reasonSentences(found({ [feature]: 1 }))).toEqual([`${posts} were rejected before.`]);
  });

  it.each(["length:4-9", "attachments:1", "markup:list", "word:g", "constructor:x", "nothing"])(
    "does not explain %s",
    (feature) => {
      expect(reasonSentences(found({ [feature]: 1 }))).toEqual([]);
    },
  );
});
