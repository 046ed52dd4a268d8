import { seededNumbers } from "#lib/random-numbers.ts";

/** Numbers of the classifier's description of a picture. */
const DESCRIPTION = 1792;
/** Bytes of a picture vector. */
const LENGTH = 256;
const LARGEST = 127;
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
  matrix ??= randomSigns(DESCRIPTION * LENGTH);
  const sums = new Float64Array(LENGTH);
  for (let row = 0; row < DESCRIPTION; row++) {
    const value = description[row] ?? 0;
    if (value === 0) continue;
    for (let column = 0; column < LENGTH; column++) {
      sums[column] = (sums[column] ?? 0) + value * (matrix[row * LENGTH + column] ?? 0);
    }
  }
  const largest = sums.reduce((most, sum) => Math.max(most, Math.abs(sum)), 0);
  return Int8Array.from(sums, (sum) => (largest === 0 ? 0 : Math.round((sum / largest) * LARGEST)));
}

/** Equal shares of −1, 0 and +1. */
function randomSigns(length: number): Int8Array {
  const next = seededNumbers(SEED);
  return Int8Array.from({ length }, () => (next() % 3) - 1);
}
