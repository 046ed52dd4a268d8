import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SLOTS } from "./features.ts";
import { decodeState, encodeState, hashState, predict, VECTOR_LENGTH, type ModelState } from "./model.ts";

const float = fc.float({ noNaN: true, noDefaultInfinity: true });
const states = fc
  .record({
    examples: fc.nat(20_000),
    bias: fc.double({ noNaN: true, noDefaultInfinity: true }),
    used: fc.array(fc.tuple(fc.nat(SLOTS - 1), float), { maxLength: 200 }),
    vectorWeights: fc.option(
      fc.float32Array({
        minLength: VECTOR_LENGTH,
        maxLength: VECTOR_LENGTH,
        noNaN: true,
        noDefaultInfinity: true,
      }),
    ),
  })
  .map(({ used, ...rest }) => stateOf(used, rest));

function stateOf(used: [number, number][], rest: Partial<ModelState> = {}): ModelState {
  const weights = new Float32Array(SLOTS);
  // + 0 turns -0, which is not stored, into 0.
  for (const [slot, weight] of used) weights[slot] = weight + 0;
  return { examples: used.length, bias: 0, weights, vectorWeights: null, ...rest };
}

describe("predict", () => {
  const state = stateOf(
    [
      [3, 2],
      [4, 1],
      [9, -5],
    ],
    { bias: 0.5 },
  );

  it("is the logistic function of bias and scaled weights", () => {
    const slots = Uint32Array.of(3, 4, 100, 101);
    expect(predict(state, { slots, vector: null })).toBeCloseTo(1 / (1 + Math.exp(-0.5 - 3 / 2)), 12);
  });

  it("uses only the direction of a vector", () => {
    const vectorWeights = new Float32Array(VECTOR_LENGTH).fill(0.5);
    const withVectors = { ...state, vectorWeights };
    const at = (fill: number) => ({
      slots: new Uint32Array(),
      vector: new Int8Array(VECTOR_LENGTH).fill(fill),
    });
    expect(predict(withVectors, at(3))).toBeCloseTo(1 / (1 + Math.exp(-0.5 - 8)), 12);
    expect(predict(withVectors, at(100))).toBeCloseTo(predict(withVectors, at(3)), 12);
    expect(predict(withVectors, at(0))).toBeCloseTo(1 / (1 + Math.exp(-0.5)), 12);
    expect(predict(state, at(3))).toBe(predict(state, at(0)));
  });
});

describe("stored models", () => {
  it("are read back exactly", () => {
    fc.assert(
      fc.property(states, (state) => {
        const back = decodeState(encodeState(state));
        expect(back.weights.every((weight, slot) => weight === state.weights[slot])).toBe(true);
        expect({ ...back, weights: null }).toEqual({ ...state, weights: null });
        expect(hashState(back)).toBe(hashState(state));
      }),
      { numRuns: 30 },
    );
  });

  it.each<[string, Partial<ModelState>]>([
    ["examples", { examples: 4 }],
    ["bias", { bias: 0.1 }],
    ["picture weights", { vectorWeights: new Float32Array(VECTOR_LENGTH) }],
    ["weights", { weights: new Float32Array(SLOTS).fill(1, 7, 8) }],
  ])("differ in their hash when the %s differ", (_what, change) => {
    const state = stateOf([
      [3, 2],
      [4, 1],
      [9, -5],
    ]);
    expect(hashState({ ...state, ...change })).not.toBe(hashState(state));
  });

  const stored = encodeState(
    stateOf(
      [
        [3, 2],
        [400, 1],
      ],
      { vectorWeights: new Float32Array(VECTOR_LENGTH) },
    ),
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
    ["nothing", new Uint8Array()],
    ["bytes that are no gzip", Uint8Array.of(1, 2, 3)],
    ["gzip of another content", gzipSync("x".repeat(200))],
    ["gzip of more than the largest model", gzipSync(new Uint8Array(20_000_000))],
    ["a weight that is no number", encodeState(stateOf([[3, NaN]]))],
    ["an infinite bias", encodeState(stateOf([], { bias: Infinity }))],
    ["a vector of another length", encodeState(stateOf([], { vectorWeights: new Float32Array(3) }))],
  ])("refuse %s", (_what, bytes) => {
    expect(() => decodeState(bytes)).toThrow(RangeError);
  });
});
