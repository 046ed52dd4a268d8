import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { decodeSlots, encodeSlots, SLOTS } from "./features.ts";

/** Signed bytes that describe a picture. */
export const VECTOR_LENGTH = 256;

export interface Traits {
  /** Distinct. */
  slots: Uint32Array;
  /** `VECTOR_LENGTH` numbers; only their direction counts. */
  vector: Int8Array | null;
}

export interface Example extends Traits {
  rejected: boolean;
}

/** Weights of a logistic regression. */
export interface Weights<Numbers = Float32Array | Float64Array> {
  bias: number;
  /** One for each slot. */
  weights: Numbers;
  /** Null for a model without pictures. */
  vectorWeights: Numbers | null;
}

export interface ModelState extends Weights<Float32Array> {
  /** Number of examples it was trained from. */
  examples: number;
}

/** The raw probability that the team rejects the post, 0–1. It is not calibrated. */
export function predict(state: Weights, { slots, vector }: Traits): number {
  let sum = 0;
  for (const slot of slots) sum += state.weights[slot] ?? 0;
  let logit = state.bias + sum * scaleOf(slots.length);
  if (state.vectorWeights !== null && vector !== null) logit += project(state.vectorWeights, vector);
  return sigmoid(logit);
}

/** Value of each feature of a post: long posts weigh no more than short ones. */
export function scaleOf(features: number): number {
  return features === 0 ? 0 : 1 / Math.sqrt(features);
}

export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

/** Product with the vector, brought to length 1. */
function project(weights: ArrayLike<number>, vector: Int8Array): number {
  let sum = 0;
  for (let i = 0; i < VECTOR_LENGTH; i++) sum += (weights[i] ?? 0) * (vector[i] ?? 0);
  return sum * inverseLength(vector);
}

/** 0 for a vector of zeros. */
export function inverseLength(vector: Int8Array): number {
  let squares = 0;
  for (const value of vector) squares += value * value;
  return squares === 0 ? 0 : 1 / Math.sqrt(squares);
}

/*
 * Stored form: gzip of a header, the picture weights, the slots with a weight (as in `encodeSlots`) and their weights.
 * Numbers are little-endian.
 */
const MAGIC = 0x314d4c53; // "SLM1"
const HEADER = 24;
const LARGEST = HEADER + 4 * VECTOR_LENGTH + 7 * SLOTS;

export function encodeState(state: ModelState): Uint8Array {
  // The bytes of weights hardly compress; a higher level takes longer and saves nothing.
  return gzipSync(bytesOf(state), { level: 1 });
}

/** SHA-256 of the content, in hexadecimal. */
export function hashState(state: ModelState): string {
  return createHash("sha256").update(bytesOf(state)).digest("hex");
}

function bytesOf({ examples, bias, weights, vectorWeights }: ModelState): Uint8Array {
  const used: number[] = [];
  for (const [slot, weight] of weights.entries()) if (weight !== 0) used.push(slot);
  const slots = encodeSlots(used);
  const vectorLength = vectorWeights?.length ?? 0;
  const bytes = new Uint8Array(HEADER + 4 * vectorLength + slots.length + 4 * used.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, examples, true);
  view.setFloat64(8, bias, true);
  view.setUint32(16, vectorLength, true);
  view.setUint32(20, slots.length, true);
  let at = HEADER;
  for (const weight of vectorWeights ?? []) at = writeWeight(view, at, weight);
  bytes.set(slots, at);
  at += slots.length;
  for (const slot of used) at = writeWeight(view, at, weights[slot] ?? 0);
  return bytes;
}

function writeWeight(view: DataView, at: number, weight: number): number {
  view.setFloat32(at, weight, true);
  return at + 4;
}

/**
 * @throws RangeError unless `encodeState` can have written the bytes
 */
export function decodeState(stored: Uint8Array): ModelState {
  const bytes = unpack(stored);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < HEADER || view.getUint32(0, true) !== MAGIC) throw damaged();
  const bias = view.getFloat64(8, true);
  const vectorLength = view.getUint32(16, true);
  const slotsFrom = HEADER + 4 * vectorLength;
  const slotsEnd = slotsFrom + view.getUint32(20, true);
  if (![0, VECTOR_LENGTH].includes(vectorLength) || slotsEnd > bytes.length || !Number.isFinite(bias)) {
    throw damaged();
  }
  const slots = decodeSlots(bytes.subarray(slotsFrom, slotsEnd));
  if (slotsEnd + 4 * slots.length !== bytes.length) throw damaged();
  const weights = new Float32Array(SLOTS);
  for (const [i, slot] of slots.entries()) weights[slot] = readWeight(view, slotsEnd + 4 * i);
  return {
    examples: view.getUint32(4, true),
    bias,
    weights,
    vectorWeights:
      vectorLength === 0
        ? null
        : Float32Array.from({ length: VECTOR_LENGTH }, (_, i) => readWeight(view, HEADER + 4 * i)),
  };
}

function readWeight(view: DataView, at: number): number {
  const weight = view.getFloat32(at, true);
  if (!Number.isFinite(weight)) throw damaged();
  return weight;
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
