import { describe, expect, it } from "vitest";
import { blankInput } from "#tests/setup/feature-input.ts";
import { calibrateInOrder } from "./calibrate.ts";
import { featureNames, slotsOf } from "./features.ts";
import { expectedCalibrationError, rocAuc } from "./metrics.ts";
import { decodeState, encodeState, hashState, predict, VECTOR_LENGTH, type Example } from "./model.ts";
import { trainFromHistory } from "./train.ts";

const seed = 7;
const words = "bird lake song rain tram moss giveaway airdrop token invest".split(" ");

/** Whole numbers from 0 to n - 1, the same in every run. */
function draws(): (n: number) => number {
  let state = 1;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** A made-up policy: two of four words of advertising, or one in a post of an instance that the team distrusts. */
function madeUpHistory(n: number): Example[] {
  const draw = draws();
  return Array.from({ length: n }, () => {
    const text = Array.from({ length: 8 }, () => words[draw(words.length)] ?? "");
    const instance = `host${draw(5)}.example`;
    const advertising = new Set(text.filter((word) => words.indexOf(word) >= 6)).size;
    const input = {
      ...blankInput,
      text: text.join(" "),
      author: `user${draw(100)}@${instance}`,
      instance,
      language: "en",
    };
    return {
      slots: slotsOf(featureNames(input)),
      vector: null,
      rejected: advertising >= 3 || (advertising >= 1 && instance === "host0.example"),
    };
  });
}

const labelsOf = (examples: Example[]) => examples.map(({ rejected }) => rejected);

describe("trainFromHistory", () => {
  const history = madeUpHistory(600);

  it("learns a made-up policy from 600 posts", async () => {
    const { predictions } = await trainFromHistory(history, { seed, withVectors: false });
    const later = Array.from(predictions).slice(100);
    expect(rocAuc(later, labelsOf(history).slice(100))).toBeGreaterThan(0.9);
  });

  it("gives the same model for the same examples and seed", async () => {
    const [one, two, other] = await Promise.all(
      [seed, seed, seed + 1].map((each) => trainFromHistory(history, { seed: each, withVectors: false })),
    );
    expect(hashState(one!.state)).toBe(hashState(two!.state));
    expect(hashState(one!.state)).not.toBe(hashState(other!.state));
    expect(one!.predictions).toEqual(two!.predictions);
  });

  it.each<[string, (history: Example[]) => Example[]]>([
    ["removed", (all) => all.toSpliced(300, 1)],
    ["decided otherwise", (all) => all.with(300, { ...all[300]!, rejected: !all[300]!.rejected })],
  ])("gives another model when an example is %s", async (_how, change) => {
    const before = await trainFromHistory(history, { seed, withVectors: false });
    const after = await trainFromHistory(change(history), { seed, withVectors: false });
    expect(hashState(after.state)).not.toBe(hashState(before.state));
  });

  it("predicts each example from the ones before it", async () => {
    const { predictions } = await trainFromHistory(history, { seed, withVectors: false });
    for (const n of [0, 1, 57, 599]) {
      const { state } = await trainFromHistory(history.slice(0, n), { seed, withVectors: false });
      expect(predict(state, history[n]!)).toBeCloseTo(predictions[n]!, 5);
    }
    const turned = history.map((each, i) => (i < 57 ? each : { ...each, rejected: !each.rejected }));
    const other = await trainFromHistory(turned, { seed, withVectors: false });
    expect(other.predictions.slice(0, 58)).toEqual(predictions.slice(0, 58));
    expect(other.predictions[58]).not.toBe(predictions[58]);
  });

  it("gives a model that survives storage", async () => {
    const { state } = await trainFromHistory(history, { seed, withVectors: true });
    expect(hashState(decodeState(encodeState(state)))).toBe(hashState(state));
  });

  it("learns from vectors, when asked to", async () => {
    const draw = draws();
    const examples = Array.from({ length: 300 }, () => {
      const vector = Int8Array.from({ length: VECTOR_LENGTH }, () => draw(201) - 100);
      const rejected = draw(2) === 0;
      vector.fill(rejected ? 60 : -60, 0, 40);
      return { slots: new Uint32Array(), vector, rejected };
    });
    const score = async (withVectors: boolean) => {
      const { predictions } = await trainFromHistory(examples, { seed, withVectors });
      return rocAuc(predictions.slice(50), labelsOf(examples).slice(50));
    };
    expect(await score(true)).toBeGreaterThan(0.95);
    expect(await score(false)).toBeLessThan(0.7);
  });

  it("returns a model without any example", async () => {
    const { state, predictions } = await trainFromHistory([], { seed, withVectors: false });
    expect(predictions).toHaveLength(0);
    expect(predict(state, { slots: Uint32Array.of(1), vector: null })).toBe(0.5);
  });

  it("lets other work run and stops when it is aborted", async () => {
    const controller = new AbortController();
    let learnt = 0;
    const many = Array.from({ length: 50 }, () => history).flat();
    const counted = many.map(({ rejected, ...traits }) => ({
      ...traits,
      get rejected() {
        learnt++;
        return rejected;
      },
    }));
    const reason = new Error("deadline");
    // Runs only if the training pauses.
    setImmediate(() => controller.abort(reason));
    const training = trainFromHistory(counted, { seed, withVectors: false, signal: controller.signal });
    await expect(training).rejects.toBe(reason);
    expect(learnt).toBeLessThan(many.length);
    await expect(trainFromHistory([], { seed, withVectors: false, signal: controller.signal })).rejects.toBe(
      reason,
    );
  });

  it("predicts with calibrated probabilities when one label in five is wrong", async () => {
    const draw = draws();
    const noisy = madeUpHistory(2_000).map((each) =>
      draw(5) === 0 ? { ...each, rejected: !each.rejected } : each,
    );
    const { predictions } = await trainFromHistory(noisy, { seed, withVectors: false });
    const calibrated = calibrateInOrder(predictions, labelsOf(noisy)).slice(500);
    const labels = labelsOf(noisy).slice(500);
    expect(expectedCalibrationError(calibrated, labels)).toBeLessThan(0.05);
    expect(expectedCalibrationError(predictions.slice(500), labels)).toBeGreaterThan(0.05);
  });
});
