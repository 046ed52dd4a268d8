import { mapInSlices } from "#lib/event-loop.ts";
import { seededShares } from "#lib/random-numbers.ts";
import { SLOTS } from "./features.ts";
import {
  inverseLength,
  predict,
  scaleOf,
  VECTOR_LENGTH,
  type Example,
  type ModelState,
  type Weights,
} from "./model.ts";

/**
 * FTRL-Proximal with a rate for each weight, without L1 (McMahan et al. 2013, "Ad Click Prediction: a View from the
 * Trenches", algorithm 1).
 */
interface Coordinates {
  /** Divides by `alpha` and `l2` shrinks towards 0. */
  alpha: number;
  l2: number;
  z: Float64Array;
  /** Square root of the sum of squared gradients. */
  root: Float64Array;
  weights: Float64Array;
}

const BETA = 1;

/**
 * Trains a model from the beginning. Each example is predicted from the examples before it and then learnt, together
 * with random earlier ones. The same examples, seed and options give the same state on every machine.
 *
 * @param examples in the order of the reviews
 * @returns `predictions[i]` is raw and was made before example i was seen
 * @throws the reason of `signal` when it is aborted; other work runs every 10 ms
 */
export async function trainFromHistory(
  examples: readonly Example[],
  { seed, withVectors, signal }: { seed: number; withVectors: boolean; signal?: AbortSignal },
): Promise<{ state: ModelState; predictions: Float64Array }> {
  const learner = new Learner(withVectors);
  const random = seededShares(seed);
  let seen = 0;
  const predictions = await mapInSlices(examples, (example) => {
    signal?.throwIfAborted();
    const prediction = predict(learner.weights(), example);
    learner.learn(example);
    const earlier = seen++;
    for (let i = earlier === 0 ? 0 : replaysAfter(seen); i > 0; i--) {
      const replayed = examples[Math.floor(random() * earlier)];
      if (replayed !== undefined) learner.learn(replayed);
    }
    return prediction;
  });
  signal?.throwIfAborted();
  const { bias, weights, vectorWeights } = learner.weights();
  const state = {
    examples: examples.length,
    bias,
    weights: Float32Array.from(weights),
    vectorWeights: vectorWeights && Float32Array.from(vectorWeights),
  };
  return { state, predictions: Float64Array.from(predictions) };
}

/** Few examples are repeated more often, so that the first reviews count. */
function replaysAfter(examples: number): number {
  return Math.floor(Math.max(3, Math.min(10, 1000 / examples)));
}

class Learner {
  #sparse = coordinates(SLOTS, { alpha: 4, l2: 0.01 });
  // Slow, so that the first few labels do not decide alone.
  #bias = coordinates(1, { alpha: 0.5, l2: 0.01 });
  #dense: Coordinates | null;

  constructor(withVectors: boolean) {
    this.#dense = withVectors ? coordinates(VECTOR_LENGTH, { alpha: 0.3, l2: 0.3 }) : null;
  }

  weights(): Weights<Float64Array> {
    return {
      bias: this.#bias.weights[0] ?? 0,
      weights: this.#sparse.weights,
      vectorWeights: this.#dense?.weights ?? null,
    };
  }

  learn(example: Example): void {
    const { slots, vector } = example;
    const error = predict(this.weights(), example) - (example.rejected ? 1 : 0);
    update(this.#bias, 0, error);
    const gradient = error * scaleOf(slots.length);
    for (const slot of slots) update(this.#sparse, slot, gradient);
    if (this.#dense === null || vector === null) return;
    const share = error * inverseLength(vector);
    for (let i = 0; i < VECTOR_LENGTH; i++) update(this.#dense, i, share * (vector[i] ?? 0));
  }
}

function coordinates(length: number, rates: { alpha: number; l2: number }): Coordinates {
  return {
    ...rates,
    z: new Float64Array(length),
    root: new Float64Array(length),
    weights: new Float64Array(length),
  };
}

function update(of: Coordinates, at: number, gradient: number): void {
  const before = of.root[at] ?? 0;
  const root = Math.sqrt(before * before + gradient * gradient);
  const z = (of.z[at] ?? 0) + gradient - ((root - before) / of.alpha) * (of.weights[at] ?? 0);
  of.root[at] = root;
  of.z[at] = z;
  of.weights[at] = z === 0 ? 0 : -z / ((BETA + root) / of.alpha + of.l2);
}
