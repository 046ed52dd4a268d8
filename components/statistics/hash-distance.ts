/**
 * Bits in which two hashes of a consumer differ (Hamming distance), or null when they cannot be compared: not
 * hexadecimal, or of different length. A consumer's hash comes from another resizer than ours, so its two are
 * compared with each other only.
 */
export function hashDistance(a: string | null, b: string | null): number | null {
  if (a === null || b === null || a.length !== b.length || !/^[0-9a-f]+$/i.test(a + b)) return null;
  let bits = 0;
  for (let i = 0; i < a.length; i++) {
    let differing = parseInt(a.charAt(i), 16) ^ parseInt(b.charAt(i), 16);
    for (; differing !== 0; differing &= differing - 1) bits++;
  }
  return bits;
}
