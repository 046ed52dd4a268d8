import { describe, expect, it } from "vitest";
import { explain, reasonSentences, type Influence } from "./explain.ts";
import { featureId, featureKey } from "./features.ts";
import { NO_REVIEWS, type ModelState } from "./model.ts";

const key = featureKey(new Uint8Array(32));
const state = (
  features: Record<string, [weight: number, reviewed: number, rejected: number]>,
): ModelState => {
  const sorted = Object.entries(features)
    .map(([name, values]) => [featureId(name, key), ...values] as const)
    .sort(([a], [b]) => a - b);
  return {
    examples: 100,
    bias: 0,
    past: { author: 1, instance: -1 },
    features: Int32Array.from(sorted, ([id]) => id),
    weights: Float32Array.from(sorted, ([, weight]) => weight),
    reviewed: Uint32Array.from(sorted, ([, , reviewed]) => reviewed),
    rejected: Uint32Array.from(sorted, ([, , , rejected]) => rejected),
  };
};
const past = { author: NO_REVIEWS, instance: NO_REVIEWS };
const found = (weights: Record<string, number>): Influence[] =>
  Object.entries(weights).map(([feature, weight]) => ({
    feature,
    weight,
    count: { reviewed: 4, rejected: weight > 0 ? 3 : 1 },
  }));

describe("explain", () => {
  const model = state({
    "word:win": [2, 5, 4],
    "word:bird": [-3, 6, 0],
    "tag:moss": [0.5, 1, 1],
    "word:rain": [1, 2, 1],
    "word:other": [9, 9, 9],
  });
  const names = ["word:rain", "word:win", "word:bird", "tag:moss", "word:unknown"];
  const influencesOf = (some: string[], most: number, reviews = past) =>
    explain(model, key, { names: some, instance: "b.example", past: reviews }, most);

  it("returns the strongest features of the post with their counts, those for a rejection first", () => {
    expect(influencesOf(names, 3)).toEqual([
      { feature: "word:win", weight: 2, count: { reviewed: 5, rejected: 4 } },
      { feature: "word:rain", weight: 1, count: { reviewed: 2, rejected: 1 } },
      { feature: "word:bird", weight: -3, count: { reviewed: 6, rejected: 0 } },
    ]);
  });

  it("leaves out features that the model does not know, and counts of one post", () => {
    expect(influencesOf(names, 10)).toHaveLength(4);
    expect(influencesOf(["word:unknown"], 10)).toEqual([]);
    expect(influencesOf(["tag:moss"], 10)).toEqual([{ feature: "tag:moss", weight: 0.5, count: null }]);
  });

  it("compares past reviews of the author with the features as the prediction does", () => {
    const author = { reviewed: 3, rejected: 3 };
    const [first, second] = influencesOf(["word:win", "a", "b", "c"], 10, { ...past, author });
    expect(first).toEqual({ feature: "author:", weight: 2 * Math.log(4), count: author });
    expect(second?.feature).toBe("word:win");
    // The word weighs 2 / √4, as in the prediction.
    expect(first!.weight / 2).toBeCloseTo(Math.log(4), 12);
  });
});

describe("reasonSentences", () => {
  it("puts words into one sentence", () => {
    const weights = { "word:giveaway": 3, "word:crypto": 1.5, "word:airdrop": 1, "word:dog": 0.7 };
    expect(reasonSentences(found(weights))).toEqual([
      "The words “giveaway”, “crypto” and “airdrop” are typical of posts that you rejected.",
    ]);
    expect(reasonSentences(found({ "word:moss": -1 }))).toEqual([
      "The word “moss” is typical of posts that you approved.",
    ]);
  });

  it("says at most three, the strongest for a rejection first", () => {
    const weights = { "tag:a": 1, "word:bird": -4, "link:x.example": 3, "author:": 2, "tag:b": 0.9 };
    expect(reasonSentences(found(weights))).toEqual([
      "You rejected 3 of 4 posts with a link to “x.example”.",
      "You rejected 3 of 4 posts by this author.",
      "You rejected 3 of 4 posts with the hashtag “#a”.",
    ]);
  });

  it("drops a reason without a count, and one that its count contradicts", () => {
    expect(
      reasonSentences([
        { feature: "author:", weight: 2, count: { reviewed: 11, rejected: 9 } },
        { feature: "instance:b.example", weight: 1, count: { reviewed: 4, rejected: 0 } },
        { feature: "link:c.example", weight: 1, count: null },
        { feature: "word:win", weight: 1, count: null },
        { feature: "word:dog", weight: 1, count: { reviewed: 7, rejected: 0 } },
        { feature: "tag:moss", weight: -1, count: { reviewed: 8, rejected: 1 } },
      ]),
    ).toEqual([
      "You rejected 9 of 11 posts by this author.",
      "You approved 7 of 8 posts with the hashtag “#moss”.",
    ]);
  });

  it.each([
    ["author:", "posts by this author"],
    ["language:pt-br", "posts in Brazilian Portuguese"],
    ["rule:many_mentions", "posts with the finding “many mentions”"],
    ["links:3-5", "posts with 3 to 5 links"],
    ["age:0", "posts by accounts less than a day old"],
    ["age:1-2", "posts by accounts 1 to 2 days old"],
    [`tag:${"猫".repeat(50)}`, `posts with the hashtag “#${"猫".repeat(39)}…”`],
  ])("describes %s", (feature, posts) => {
    expect(reasonSentences(found({ [feature]: 1 }))).toEqual([`You rejected 3 of 4 ${posts}.`]);
  });
});
