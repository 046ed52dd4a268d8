import { seededNumbers } from "#lib/random-numbers.ts";

/** Numbers of the classifier's description of a picture. */
const DESCRIPTION = 1792;
const VECTOR_BYTES = 256;
const MAX_VALUE = 127;
/** Stored vectors depend on this matrix: a change makes them useless. */
const SEED = 0x5eed;

let matrix: Int8Array | undefined;

/**
 * A picture vector: the description times a fixed random matrix of −1, 0 and +1, scaled to signed bytes. Similar pictures
 * have vectors of similar direction; the length means nothing.
 *
 * @param description 1792 numbers
 */
export function projectDescription(description: Float32Array): Int8Array {
  if (description.length !== DESCRIPTION) throw new RangeError("A description has 1792 numbers.");
  matrix ??= randomSigns(DESCRIPTION * VECTOR_BYTES);
  const sums = new Float64Array(VECTOR_BYTES);
  for (let row = 0; row < DESCRIPTION; row++) {
    const value = description[row] ?? 0;
    if (value === 0) continue;
    for (let column = 0; column < VECTOR_BYTES; column++) {
      sums[column] = (sums[column] ?? 0) + value * (matrix[row * VECTOR_BYTES + column] ?? 0);
    }
  }
  const largest = sums.reduce((largest, sum) => Math.max(largest, Math.abs(sum)), 0);
  return Int8Array.from(sums, (sum) => (largest === 0 ? 0 : Math.round((sum / largest) * MAX_VALUE)));
}

/** Equal shares of −1, 0 and +1. */
function randomSigns(length: number): Int8Array {
  const next = seededNumbers(SEED);
  return Int8Array.from({ length }, () => (next() % 3) - 1);
}
