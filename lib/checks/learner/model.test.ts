import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeState,
  encodeState,
  hashState,
  logOdds,
  MAX_STORED_FEATURES,
  NO_REVIEWS,
  predict,
  type ModelState,
  type ReviewCount,
} from "./model.ts";

const float = fc.float({ noNaN: true, noDefaultInfinity: true });
const double = fc.double({ noNaN: true, noDefaultInfinity: true });
const states = fc
  .record({
    examples: fc.nat(20_000),
    bias: double,
    past: fc.record({ author: double, instance: double }),
    used: fc.array(fc.tuple(fc.nat(2 ** 31 - 1), float), { maxLength: 200 }),
  })
  .map(({ used, ...rest }) => stateOf(used, rest));

function stateOf(used: [number, number][], rest: Partial<ModelState> = {}): ModelState {
  const sorted = [...new Map(used)].sort(([a], [b]) => a - b);
  return {
    examples: used.length,
    bias: 0,
    past: { author: 0, instance: 0 },
    features: Int32Array.from(sorted, ([feature]) => feature),
    weights: Float32Array.from(sorted, ([, weight]) => weight),
    reviewed: Uint32Array.from(sorted, (_, i) => i + 2),
    rejected: Uint32Array.from(sorted, (_, i) => i),
    ...rest,
  };
}

const past = { author: NO_REVIEWS, instance: NO_REVIEWS };

describe("predict", () => {
  const state = stateOf(
    [
      [3, 2],
      [4, 1],
      [9, -5],
    ],
    { bias: 0.5, past: { author: 1.5, instance: 0.25 } },
  );
  const logistic = (logit: number) => 1 / (1 + Math.exp(-logit));

  it("is the logistic function of bias and scaled weights", () => {
    const features = Int32Array.of(3, 4, 100, 101);
    expect(predict(state, { features, past })).toBeCloseTo(logistic(0.5 + 3 / 2), 12);
  });

  it("uses the counts of the author and of the instance", () => {
    const at = (author: ReviewCount, instance: ReviewCount) =>
      predict(state, { features: new Int32Array(), past: { author, instance } });
    const [spammer, host] = [
      { reviewed: 9, rejected: 8 },
      { reviewed: 6, rejected: 0 },
    ];
    expect(at(spammer, host)).toBeCloseTo(logistic(0.5 + 1.5 * Math.log(9 / 2) + 0.25 * Math.log(1 / 7)), 12);
    expect(at(NO_REVIEWS, NO_REVIEWS)).toBeCloseTo(logistic(0.5), 12);
    expect(logOdds({ reviewed: 4, rejected: 2 })).toBe(0);
  });
});

describe("stored models", () => {
  it("are read back exactly", () => {
    fc.assert(
      fc.property(states, (state) => {
        const back = decodeState(encodeState(state));
        expect(back).toEqual(state);
        expect(hashState(back)).toBe(hashState(state));
      }),
      { numRuns: 30 },
    );
  });

  const stored = encodeState(
    stateOf([
      [3, 2],
      [400, 1],
    ]),
  );

  it("are refused after any cut", () => {
    const cuts = Array.from({ length: stored.length }, (_, length) => stored.subarray(0, length));
    for (const cut of cuts) expect(() => decodeState(cut)).toThrow(RangeError);
  });

  it("are refused after any changed byte of the content", () => {
    // Another version, another count of examples or another finite weight is valid; all else is not.
    const damage = fc.tuple(fc.nat(stored.length - 1), fc.integer({ min: 1, max: 255 }));
    fc.assert(
      fc.property(damage, ([at, change]) => {
        const damaged = Uint8Array.from(stored);
        damaged[at] = (damaged[at] ?? 0) ^ change;
        try {
          const back = decodeState(damaged);
          expect(hashState(back)).toBe(hashState(decodeState(stored)));
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
    );
  });

  it.each<[string, Uint8Array]>([
    ["gzip of another content", gzipSync("x".repeat(200))],
    ["gzip of more than the largest model", gzipSync(new Uint8Array(17 * MAX_STORED_FEATURES))],
    ["a weight that is no number", encodeState(stateOf([[3, NaN]]))],
    [
      "more rejections than reviews",
      encodeState({ ...stateOf([[3, 1]]), rejected: Uint32Array.of(3), reviewed: Uint32Array.of(2) }),
    ],
    ["an infinite bias", encodeState(stateOf([], { bias: Infinity }))],
  ])("refuse %s", (_what, bytes) => {
    expect(() => decodeState(bytes)).toThrow(RangeError);
  });
});
