import { describe, expect, it } from "vitest";
import { ALL, predict, reasonSentences, type Counts } from "./counts.ts";

const counts: Counts = new Map<number | string, { reviewed: number; rejected: number }>([
  [ALL, { reviewed: 100, rejected: 50 }],
  [1, { reviewed: 5, rejected: 4 }],
  [2, { reviewed: 6, rejected: 0 }],
  [3, { reviewed: 1, rejected: 1 }],
  [4, { reviewed: 90, rejected: 50 }],
  ["ana@a.example", { reviewed: 3, rejected: 3 }],
]);
const names = ["word:win", "word:bird", "tag:moss", "word:the", "word:unknown"];
const ids = [1, 2, 3, 4, 5];
const post = { author_key: "ana@a.example", instance: "a.example" };

describe("predict", () => {
  it("sums the log odds, divided by the root of the features", () => {
    const odds = (reviewed: number, share: number) => {
      const p = (0.5 + reviewed * share) / (1 + reviewed);
      return Math.log(p / (1 - p));
    };
    const sum = odds(5, 0.8) + odds(6, 0) + odds(1, 1) + odds(90, 50 / 90);
    const logit = sum / Math.sqrt(5) + odds(3, 1);
    expect(predict(names, ids, post, counts)?.score).toBeCloseTo(1 / (1 + Math.exp(-logit)), 3);
  });

  it("is null until both decisions occurred", () => {
    expect(predict(names, ids, post, new Map())).toBeNull();
    expect(predict(names, ids, post, new Map([[ALL, { reviewed: 2, rejected: 2 }]]))).toBeNull();
    expect(predict(names, ids, post, new Map([[ALL, { reviewed: 2, rejected: 1 }]]))).toMatchObject({
      score: 0.5,
    });
  });

  it("gives the strongest features with exact counts, without one review and what most posts have", () => {
    const found = predict(names, ids, post, counts)?.reasons ?? [];
    expect(found.map(({ weight, ...rest }) => ({ ...rest, sign: Math.sign(weight) }))).toEqual([
      { feature: "author:", sign: 1, reviewed: 3, rejected: 3 },
      { feature: "word:bird", sign: -1, reviewed: 6, rejected: 0 },
      { feature: "word:win", sign: 1, reviewed: 5, rejected: 4 },
    ]);
  });
});

describe("reasonSentences", () => {
  const reasons = (weights: Record<string, number>) =>
    Object.entries(weights).map(([feature, weight]) => ({
      feature,
      weight,
      reviewed: 4,
      rejected: weight > 0 ? 3 : 1,
    }));

  it("says at most three, without weak ones", () => {
    expect(
      reasonSentences(reasons({ "link:x.example": 3, "author:": 2, "word:win": 1.5, "tag:a": 1 })),
    ).toEqual([
      "You rejected 3 of 4 posts with a link to “x.example”.",
      "You rejected 3 of 4 posts by this author.",
      "You rejected 3 of 4 posts with the word “win”.",
    ]);
    expect(reasonSentences(reasons({ "tag:a": 1, "tag:b": 0.1 }))).toHaveLength(1);
    expect(reasonSentences(reasons({ "tag:moss": -1, "length:4": -1 }))).toEqual([
      "You approved 3 of 4 posts with the hashtag “#moss”.",
    ]);
  });
});
