/** 64 bits, 16 hex digits each. */
export interface PictureHashes {
  dhash: string;
  phash: string;
}

/** Maximum sum of both distances of equal pictures (docs/decisions/0017-picture-hashes.md). */
export const SAME_PICTURE = 24;

/** Differing bits; null unless both are hex of equal length. */
export function hashDistance(a: string | null, b: string | null): number | null {
  if (a === null || b === null || a.length !== b.length || !isHex(a) || !isHex(b)) return null;
  return onesOf(BigInt(`0x${a}`) ^ BigInt(`0x${b}`));
}

const isHex = (text: string) => /^[0-9a-f]{1,64}$/i.test(text);

export function onesOf(value: bigint): number {
  return value.toString(2).replaceAll("0", "").length;
}
