import { describe, expect, it } from "vitest";
import { ALL, count, scoreOf, weightOf, type Counts } from "./counts.ts";
import { explain, reasonSentences } from "./explain.ts";

const counts: Counts = new Map([
  [ALL, { reviewed: 100, rejected: 50 }],
  [1, { reviewed: 5, rejected: 4 }],
  [2, { reviewed: 6, rejected: 0 }],
  [3, { reviewed: 1, rejected: 1 }],
  [4, { reviewed: 90, rejected: 50 }],
  [-1, { reviewed: 3, rejected: 3 }],
]);
const names = ["word:win", "word:bird", "tag:moss", "word:the", "word:unknown"];
const post = { features: [1, 2, 3, 4, 5], author: -1, instance: -2 };
const reasons = (weights: Record<string, number>) =>
  Object.entries(weights).map(([feature, weight]) => ({
    feature,
    weight,
    reviewed: 4,
    rejected: weight > 0 ? 3 : 1,
  }));

describe("scoreOf", () => {
  it("is the sum of the weights, divided by the root of the features", () => {
    const all = counts.get(ALL)!;
    const sum = [1, 2, 3, 4].reduce((total, feature) => total + weightOf(counts.get(feature), all), 0);
    expect(scoreOf(post, counts)).toBeCloseTo(sum / Math.sqrt(5) + weightOf(counts.get(-1), all), 12);
    expect(weightOf({ reviewed: 4, rejected: 2 }, all)).toBe(0);
    expect(weightOf({ reviewed: 40, rejected: 4 }, all)).toBeLessThan(0);
  });

  it("is null until both decisions occurred", () => {
    const few: Counts = new Map();
    expect(scoreOf(post, few)).toBeNull();
    count(few, [ALL, 1], true);
    expect(scoreOf(post, few)).toBeNull();
    count(few, [ALL, 2], false);
    expect(scoreOf(post, few)).toBeCloseTo(0, 12);
  });
});

describe("explain", () => {
  it("returns the strongest features with exact counts, without one review and what most posts have", () => {
    const found = explain(post, names, "b.example", counts);
    expect(found.map(({ feature, reviewed, rejected }) => [feature, reviewed, rejected])).toEqual([
      ["author:", 3, 3],
      ["word:win", 5, 4],
      ["word:bird", 6, 0],
    ]);
    expect(found.map(({ weight }) => Math.sign(weight))).toEqual([1, 1, -1]);
  });
});

describe("reasonSentences", () => {
  it("says at most three, the strongest first, without weak ones and single letters", () => {
    const weights = { "tag:a": 1, "word:win": 1.5, "link:x.example": 3, "author:": 2, "tag:b": 0.1 };
    expect(reasonSentences(reasons({ ...weights, "word:x": 2.5 }))).toEqual([
      "You rejected 3 of 4 posts with a link to “x.example”.",
      "You rejected 3 of 4 posts by this author.",
      "You rejected 3 of 4 posts with the word “win”.",
    ]);
    expect(reasonSentences(reasons({ "tag:a": 1, "tag:b": 0.1 }))).toHaveLength(1);
    expect(reasonSentences(reasons({ "tag:moss": -1 }))).toEqual([
      "You approved 3 of 4 posts with the hashtag “#moss”.",
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
  ])("describes %s", (feature, described) => {
    expect(reasonSentences(reasons({ [feature]: 1 }))).toEqual([`You rejected 3 of 4 ${described}.`]);
  });
});
