import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";

/** Reviewed posts, and how many of them were rejected. */
export interface ReviewCount {
  reviewed: number;
  rejected: number;
}

/** Exact counts of the earlier reviews of posts by an author, and of posts from the author's instance. */
export interface PastReviews {
  author: ReviewCount;
  instance: ReviewCount;
}

export const NO_REVIEWS: ReviewCount = { reviewed: 0, rejected: 0 };

export interface Traits {
  /** From `featureIds`: distinct and ascending. */
  features: Int32Array;
  past: PastReviews;
}

export interface Example extends Traits {
  rejected: boolean;
}

/** Weights of `logOdds`. */
export interface PastWeights {
  author: number;
  instance: number;
}

/** A logistic regression, and the counts of its examples. */
export interface ModelState {
  /** Number of examples it was trained from. */
  examples: number;
  bias: number;
  past: PastWeights;
  /** Ascending; the following lists have the same order. */
  features: Int32Array;
  weights: Float32Array;
  reviewed: Uint32Array;
  rejected: Uint32Array;
}

/** The raw probability that the team rejects the post, 0–1. It is not calibrated. */
export function predict(state: ModelState, { features, past }: Traits): number {
  let sum = 0;
  for (const feature of features) sum += state.weights[placeOf(state, feature)] ?? 0;
  let logit = state.bias + sum * scaleOf(features.length);
  logit += state.past.author * logOdds(past.author) + state.past.instance * logOdds(past.instance);
  return sigmoid(logit);
}

/** −1 for an unknown feature. */
export function placeOf({ features }: Pick<ModelState, "features">, feature: number): number {
  let low = 0;
  let high = features.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = features[middle] ?? 0;
    if (found === feature) return middle;
    if (found < feature) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Value of each feature of a post: long posts weigh no more than short ones. */
export function scaleOf(features: number): number {
  return features === 0 ? 0 : 1 / Math.sqrt(features);
}

/** Positive when most were rejected; 0 without reviews. */
export function logOdds({ reviewed, rejected }: ReviewCount): number {
  return Math.log((rejected + 1) / (reviewed - rejected + 1));
}

export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

/*
 * Stored form: gzip of a header and the lists, features first. Numbers are little-endian and have four bytes, those of
 * `HEADER` marked with D eight.
 */
const MAGIC = 0x324d4c53; // "SLM2"
/** Magic, examples, bias (D), weights of past reviews (D, D), features. */
const HEADER = 36;
/** Of a stored model; those of the fewest posts are left out. */
export const MAX_STORED_FEATURES = 2 ** 18;
const LARGEST = HEADER + 16 * MAX_STORED_FEATURES;

export function encodeState(state: ModelState): Uint8Array {
  // The bytes of weights hardly compress; a higher level takes longer and saves nothing.
  return gzipSync(bytesOf(state), { level: 1 });
}

/** SHA-256 of the content, in hexadecimal. */
export function hashState(state: ModelState): string {
  return createHash("sha256").update(bytesOf(state)).digest("hex");
}

function bytesOf({ examples, bias, past, features, ...lists }: ModelState): Uint8Array {
  const count = features.length;
  const bytes = new Uint8Array(HEADER + 16 * count);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, examples, true);
  view.setFloat64(8, bias, true);
  view.setFloat64(16, past.author, true);
  view.setFloat64(24, past.instance, true);
  view.setUint32(32, count, true);
  for (let i = 0; i < count; i++) {
    const at = HEADER + 4 * i;
    view.setInt32(at, features[i] ?? 0, true);
    view.setFloat32(at + 4 * count, lists.weights[i] ?? 0, true);
    view.setUint32(at + 8 * count, lists.reviewed[i] ?? 0, true);
    view.setUint32(at + 12 * count, lists.rejected[i] ?? 0, true);
  }
  return bytes;
}

/**
 * @throws RangeError unless `encodeState` can have written the bytes
 */
export function decodeState(stored: Uint8Array): ModelState {
  const bytes = unpack(stored);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < HEADER || view.getUint32(0, true) !== MAGIC) throw damaged();
  const count = view.getUint32(32, true);
  if (bytes.length !== HEADER + 16 * count) throw damaged();
  const at = (list: number, i: number) => HEADER + 4 * (list * count + i);
  const length = { length: count };
  const state: ModelState = {
    examples: view.getUint32(4, true),
    bias: view.getFloat64(8, true),
    past: { author: view.getFloat64(16, true), instance: view.getFloat64(24, true) },
    features: Int32Array.from(length, (_, i) => view.getInt32(at(0, i), true)),
    weights: Float32Array.from(length, (_, i) => view.getFloat32(at(1, i), true)),
    reviewed: Uint32Array.from(length, (_, i) => view.getUint32(at(2, i), true)),
    rejected: Uint32Array.from(length, (_, i) => view.getUint32(at(3, i), true)),
  };
  if (!isValid(state)) throw damaged();
  return state;
}

function isValid({ bias, past, features, weights, reviewed, rejected }: ModelState): boolean {
  return (
    [bias, past.author, past.instance].every(Number.isFinite) &&
    weights.every(Number.isFinite) &&
    features.every((feature, i) => i === 0 || feature > (features[i - 1] ?? 0)) &&
    rejected.every((n, i) => n <= (reviewed[i] ?? 0))
  );
}

function unpack(stored: Uint8Array): Uint8Array {
  try {
    return gunzipSync(stored, { maxOutputLength: LARGEST });
  } catch {
    throw damaged();
  }
}

function damaged(): RangeError {
  return new RangeError("damaged model");
}
