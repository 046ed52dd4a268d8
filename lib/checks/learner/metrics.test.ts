import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  brierScore,
  brierSkill,
  calibrationBins,
  expectedCalibrationError,
  learningCurve,
  precisionRecallAt,
  rocAuc,
  shareRejected,
  wilsonInterval,
} from "./metrics.ts";

describe("wilsonInterval", () => {
  // Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("of %d in %d agrees with the published one", (hits, n, low, high) => {
    const interval = wilsonInterval(hits, n, 1.959964);
    expect(interval?.low).toBeCloseTo(low, 4);
    expect(interval?.high).toBeCloseTo(high, 4);
  });

  it("is null without an observation", () => {
    expect(wilsonInterval(0, 0, 1.96)).toBeNull();
  });

  it("contains the share and stays within 0 and 1", () => {
    const counts = fc.integer({ min: 1, max: 10_000 }).chain((n) => fc.tuple(fc.nat(n), fc.constant(n)));
    fc.assert(
      fc.property(counts, fc.double({ min: 0, max: 5, noNaN: true }), ([hits, n], z) => {
        const { low, high } = wilsonInterval(hits, n, z)!;
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(hits / n + 1e-12);
        expect(high).toBeGreaterThanOrEqual(hits / n - 1e-12);
        expect(high).toBeLessThanOrEqual(1);
      }),
    );
  });
});

// Few distinct scores, so that ties are frequent.
const pairs = fc.array(fc.record({ score: fc.nat(5).map((n) => n / 5), label: fc.boolean() }), {
  maxLength: 40,
});
const split = (list: { score: number; label: boolean }[]) =>
  [list.map(({ score }) => score), list.map(({ label }) => label)] as const;

describe("rocAuc", () => {
  it("equals the share of ordered pairs, ties half", () => {
    fc.assert(
      fc.property(pairs, (list) => {
        const rejected = list.filter(({ label }) => label);
        const approved = list.filter(({ label }) => !label);
        const wins = rejected.flatMap((yes) =>
          approved.map((no) => (Math.sign(yes.score - no.score) + 1) / 2),
        );
        const expected = wins.length === 0 ? null : wins.reduce((sum, win) => sum + win, 0) / wins.length;
        const found = rocAuc(...split(list));
        if (expected === null) expect(found).toBeNull();
        else expect(found).toBeCloseTo(expected, 12);
      }),
    );
  });
});

it("rocAuc ends for scores that are no numbers", () => {
  expect(rocAuc([NaN, NaN], [true, false])).not.toBeNull();
});

describe("Brier score and skill", () => {
  it("are 0 and 1 for certain and right predictions", () => {
    expect(brierScore([1, 0], [true, false])).toBe(0);
    expect(brierSkill([1, 0], [true, false])).toBe(1);
  });

  it("give no skill to the share of rejections", () => {
    expect(brierScore([0.25, 0.25, 0.25, 0.25], [true, false, false, false])).toBeCloseTo(0.1875, 12);
    expect(brierSkill([0.25, 0.25, 0.25, 0.25], [true, false, false, false])).toBeCloseTo(0, 12);
  });

  it("give negative skill to wrong predictions", () => {
    expect(brierSkill([0, 1], [true, false])).toBe(-3);
  });
});

describe("calibration bins", () => {
  const scores = [0, 0.05, 0.95, 1, 0.9];
  const labels = [false, true, true, true, false];

  it("hold all scores, 1 included", () => {
    const bins = calibrationBins(scores, labels, 10);
    expect(bins).toHaveLength(10);
    expect(bins[0]).toEqual({ from: 0, to: 0.1, n: 2, mean_score: 0.025, share_rejected: 0.5 });
    expect(bins[4]).toEqual({ from: 0.4, to: 0.5, n: 0, mean_score: null, share_rejected: null });
    expect(bins[9]).toMatchObject({ n: 3, share_rejected: 2 / 3 });
  });

  it("give the expected calibration error", () => {
    const expected = (2 * (0.5 - 0.025) + 3 * (0.95 - 2 / 3)) / 5;
    expect(expectedCalibrationError(scores, labels)).toBeCloseTo(expected, 12);
  });
});

describe("precisionRecallAt", () => {
  it("counts scores from the threshold on", () => {
    const { precision, recall } = precisionRecallAt([0.5, 0.7, 0.9, 0.1], [false, true, true, true], 0.7);
    expect(precision).toMatchObject({ share: 1, hits: 2, n: 2, high: 1 });
    expect(precision?.low).toBeCloseTo(wilsonInterval(2, 2, 1.96)!.low, 12);
    expect(recall).toMatchObject({ share: 2 / 3, hits: 2, n: 3 });
  });

  it("is null without a post over the threshold or without a rejection", () => {
    expect(precisionRecallAt([0.1], [true], 0.5).precision).toBeNull();
    expect(precisionRecallAt([0.9], [false], 0.5).recall).toBeNull();
  });
});

describe("learningCurve", () => {
  it("has the figures of each part of the history", () => {
    const labels = Array.from({ length: 130 }, (_, i) => i % 2 === 0);
    const scores = labels.map((label, i) => (i < 100 ? 0.5 : Number(label)));
    expect(learningCurve(scores, labels)).toEqual([
      { from: 0, to: 30, n: 30, auc: 0.5, brier: 0.25, ece: 0 },
      { from: 30, to: 100, n: 70, auc: 0.5, brier: 0.25, ece: 0 },
      { from: 100, to: 130, n: 30, auc: 1, brier: 0, ece: 0 },
    ]);
  });

  it("is empty without a history", () => {
    expect(learningCurve([], [])).toEqual([]);
  });
});

it("no figure is ever NaN or infinite", () => {
  fc.assert(
    fc.property(pairs, (list) => {
      const [scores, labels] = split(list);
      const figures = [
        rocAuc(scores, labels),
        brierScore(scores, labels),
        brierSkill(scores, labels),
        shareRejected(labels),
        expectedCalibrationError(scores, labels),
        calibrationBins(scores, labels),
        precisionRecallAt(scores, labels, 0.5),
        learningCurve(scores, labels),
      ];
      // JSON has no NaN and no Infinity; both become null there.
      expect(JSON.parse(JSON.stringify(figures))).toEqual(figures);
    }),
  );
});
