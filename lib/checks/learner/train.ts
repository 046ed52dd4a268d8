import { mapInSlices } from "#lib/base/event-loop.ts";
import { seededShares } from "#lib/base/random-numbers.ts";
import { emptiedExamples, type EmptiedCounts } from "./emptied-examples.ts";
import { logOdds, MAX_STORED_FEATURES, scaleOf, sigmoid, type Example, type ModelState } from "./model.ts";

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
/** Features that are learnt. Further ones, of the newest examples, are not. */
const MAX_FEATURES = 2 ** 20;

export interface TrainingOptions {
  seed: number;
  /** Examples of which only counts are left. They are learnt first. */
  emptied?: EmptiedCounts;
  signal?: AbortSignal;
}

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
  { seed, emptied, signal }: TrainingOptions,
): Promise<{ state: ModelState; predictions: Float64Array }> {
  const random = seededShares(seed);
  const index = new FeatureIndex();
  const indexed = await mapInSlices(examples, (example) => {
    signal?.throwIfAborted();
    return index.read(example);
  });
  const deleted = emptied && emptiedExamples(emptied, random, (feature) => index.placeOf(feature));
  const learner = new Learner(index.size);
  const emptiedPosts = Array.from({ length: deleted?.posts ?? 0 });
  await mapInSlices(emptiedPosts, () => {
    signal?.throwIfAborted();
    if (deleted !== undefined) learner.learn(deleted.draw());
  });
  let earlier = 0;
  const predictions = await mapInSlices(indexed, (example) => {
    signal?.throwIfAborted();
    const prediction = learner.predict(example);
    learner.learn(example);
    const all = earlier + emptiedPosts.length;
    for (let i = all === 0 ? 0 : replaysAfter(all + 1); i > 0; i--) {
      const drawn = Math.floor(random() * all);
      const replayed = drawn < earlier ? indexed[drawn] : deleted?.draw();
      if (replayed !== undefined) learner.learn(replayed);
    }
    earlier++;
    return prediction;
  });
  signal?.throwIfAborted();
  const counts = countFeatures(index.size, indexed);
  for (const [feature, { reviewed, rejected }] of emptied?.features ?? []) {
    const place = index.placeOf(feature);
    counts.reviewed[place] = (counts.reviewed[place] ?? 0) + reviewed;
    counts.rejected[place] = (counts.rejected[place] ?? 0) + rejected;
  }
  const state = {
    examples: examples.length + emptiedPosts.length,
    ...learner.dense(),
    ...index.sorted(learner.weights, counts),
  };
  return { state, predictions: Float64Array.from(predictions) };
}

/** Few examples are repeated more often, so that the first reviews count. */
function replaysAfter(examples: number): number {
  return Math.floor(Math.max(3, Math.min(10, 1000 / examples)));
}

/** An example with places in the lists of the learner instead of features. */
interface IndexedExample {
  places: ArrayLike<number>;
  rejected: boolean;
  author: number;
  instance: number;
}

class FeatureIndex {
  #places = new Map<number, number>();

  get size(): number {
    return this.#places.size;
  }

  /** A new one for an unknown feature; −1 when there are too many. */
  placeOf(feature: number): number {
    const known = this.#places.get(feature);
    if (known !== undefined) return known;
    if (this.size === MAX_FEATURES) return -1;
    const place = this.size;
    this.#places.set(feature, place);
    return place;
  }

  read(example: Example): IndexedExample {
    return {
      places: example.features.map((feature) => this.placeOf(feature)).filter((place) => place >= 0),
      rejected: example.rejected,
      author: logOdds(example.past.author),
      instance: logOdds(example.past.instance),
    };
  }

  /** In the order of the features; without those that say nothing, and those of the fewest posts when there are too many. */
  sorted(weights: Float64Array, { reviewed, rejected }: Counts) {
    const known = [...this.#places].filter(([, place]) => weights[place] !== 0);
    if (known.length > MAX_STORED_FEATURES) {
      known.sort(([, a], [, b]) => (reviewed[b] ?? 0) - (reviewed[a] ?? 0));
      known.length = MAX_STORED_FEATURES;
    }
    known.sort(([a], [b]) => a - b);
    const listOf = (values: ArrayLike<number>) => known.map(([, place]) => values[place] ?? 0);
    return {
      features: Int32Array.from(known, ([feature]) => feature),
      weights: Float32Array.from(listOf(weights)),
      reviewed: Uint32Array.from(listOf(reviewed)),
      rejected: Uint32Array.from(listOf(rejected)),
    };
  }
}

interface Counts {
  reviewed: Uint32Array;
  rejected: Uint32Array;
}

function countFeatures(size: number, examples: readonly IndexedExample[]): Counts {
  const [reviewed, rejected] = [new Uint32Array(size), new Uint32Array(size)];
  for (const example of examples) {
    for (const place of Array.from(example.places)) {
      reviewed[place] = (reviewed[place] ?? 0) + 1;
      if (example.rejected) rejected[place] = (rejected[place] ?? 0) + 1;
    }
  }
  return { reviewed, rejected };
}

const AUTHOR = 0;
const INSTANCE = 1;

class Learner {
  #sparse: Coordinates;
  // Slow, so that the first few labels do not decide alone.
  #bias = coordinates(1, { alpha: 0.5, l2: 0.01 });
  #past = coordinates(2, { alpha: 0.3, l2: 0.01 });

  constructor(features: number) {
    this.#sparse = coordinates(features, { alpha: 3, l2: 0.01 });
  }

  get weights(): Float64Array {
    return this.#sparse.weights;
  }

  dense() {
    const [bias = 0] = this.#bias.weights;
    const [author = 0, instance = 0] = this.#past.weights;
    return { bias, past: { author, instance } };
  }

  predict({ places, author, instance }: IndexedExample): number {
    const weights = this.#sparse.weights;
    let sum = 0;
    for (let i = 0; i < places.length; i++) sum += weights[places[i] ?? -1] ?? 0;
    const past = this.#past.weights;
    let logit = (this.#bias.weights[0] ?? 0) + sum * scaleOf(places.length);
    logit += (past[AUTHOR] ?? 0) * author + (past[INSTANCE] ?? 0) * instance;
    return sigmoid(logit);
  }

  learn(example: IndexedExample): void {
    const { places, author, instance } = example;
    const error = this.predict(example) - (example.rejected ? 1 : 0);
    update(this.#bias, 0, error);
    const gradient = error * scaleOf(places.length);
    for (let i = 0; i < places.length; i++) update(this.#sparse, places[i] ?? 0, gradient);
    if (author !== 0) update(this.#past, AUTHOR, error * author);
    if (instance !== 0) update(this.#past, INSTANCE, error * instance);
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
