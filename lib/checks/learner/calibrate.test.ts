import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyPlatt, chooseThreshold, fitPlatt, MIN_OF_EACH } from "./calibrate.ts";

/** Numbers of 0 to 1, spread evenly and the same in every run. */
function draws(): () => number {
  let n = 0;
  return () => (n = (n + 0.618_033_988_749_895) % 1);
}

const logistic = (x: number) => 1 / (1 + Math.exp(-x));

/** Scores whose true probability is `logistic(a × score + b)`. */
function distorted(n: number, a: number, b: number) {
  const logits = draws();
  let state = 1;
  const chance = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const drawn = Array.from({ length: n }, () => 6 * logits() - 3);
  return {
    scores: drawn,
    truths: drawn.map((logit) => logistic(a * logit + b)),
    labels: drawn.map((logit) => chance() < logistic(a * logit + b)),
  };
}

const scoreLists = fc.array(fc.double({ min: -40, max: 40, noNaN: true }), { maxLength: 80 });

describe("fitPlatt", () => {
  it.each([
    [1, 0],
    [0.5, -1],
    [2, 1],
  ])("recovers slope %d and shift %d", (a, b) => {
    const { scores, truths, labels } = distorted(500, a, b);
    const found = fitPlatt(scores, labels);
    const distances = scores.map((p, i) => Math.abs(applyPlatt(found, p) - truths[i]!));
    expect(Math.max(...distances)).toBeLessThan(0.08);
  });

  it("changes nothing without pairs", () => {
    expect(fitPlatt([], [])).toMatchObject({ a: 1, b: 0 });
  });

  it("keeps the order of any scores and gives numbers of 0 to 1", () => {
    fc.assert(
      fc.property(scoreLists, fc.infiniteStream(fc.boolean()), (list, stream) => {
        const labels = [...stream.take(list.length)];
        const found = fitPlatt(list, labels);
        const calibrated = list.toSorted((x, y) => x - y).map((p) => applyPlatt(found, p));
        for (const [i, p] of calibrated.entries()) {
          expect(p).toBeGreaterThanOrEqual(calibrated[i - 1] ?? 0);
          expect(p).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

describe("chooseThreshold", () => {
  const history = (groups: [score: number, rejected: number, approved: number][]) => {
    const pairs = groups.flatMap(([score, rejected, approved]) => [
      ...Array.from({ length: rejected }, () => ({ score, label: true })),
      ...Array.from({ length: approved }, () => ({ score, label: false })),
    ]);
    return [pairs.map(({ score }) => score), pairs.map(({ label }) => label)] as const;
  };

  it("is the lowest score with enough precision", () => {
    // 100 of 100, then 195 of 200 (lower bound 0.95), then 245 of 300 (0.78).
    expect(
      chooseThreshold(
        ...history([
          [0.9, 100, 0],
          [0.8, 95, 5],
          [0.7, 50, 50],
        ]),
      ),
    ).toBe(0.8);
  });

  it.each([
    [MIN_OF_EACH - 1, 200],
    [200, MIN_OF_EACH - 1],
  ])("is null with %d rejections and %d approvals", (rejected, approved) => {
    expect(
      chooseThreshold(
        ...history([
          [0.9, rejected, 0],
          [0.1, 0, approved],
        ]),
      ),
    ).toBeNull();
    expect(
      chooseThreshold(
        ...history([
          [0.9, Math.max(30, rejected), 0],
          [0.1, 0, Math.max(30, approved)],
        ]),
      ),
    ).toBe(0.9);
  });

  it("has the promised precision on its own pairs, for any scores", () => {
    const scores = fc.array(
      fc.nat(20).map((n) => n / 20),
      { minLength: 100, maxLength: 400 },
    );
    fc.assert(
      fc.property(scores, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (list, chance) => {
        const chances = [...chance.take(list.length)];
        // From 0.5 on all are rejections, so that most lists have a threshold.
        const labels = list.map((score, i) => chances[i]! < 2 * score);
        const threshold = chooseThreshold(list, labels);
        const over = labels.filter((_, i) => threshold !== null && list[i]! >= threshold);
        const hits = over.filter(Boolean).length;
        // Its lower bound is below the share itself, and 15 of 15 are not enough.
        expect(threshold === null || (hits / over.length > 0.85 && over.length > 15)).toBe(true);
      }),
    );
  });
});
