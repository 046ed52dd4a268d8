import sharp from "sharp";
import { DECODE_SECONDS, INPUT } from "./render-picture.ts";
import type { PictureHashes } from "./picture-hashes.ts";

/** Standard deviation of grey below which a picture is blank. Blank pictures have equal hashes. */
const MIN_DEVIATION = 4;
/** Set bits, and unset bits, of a usable hash: pictures with fewer have nearly equal hashes. */
const MIN_ONES = 6;

const grey = (bytes: Uint8Array, width: number, height: number): Promise<Uint8Array> =>
  sharp(bytes, INPUT)
    .timeout({ seconds: DECODE_SECONDS })
    .autoOrient()
    // The colour of transparent pixels is arbitrary.
    .flatten({ background: "#fff" })
    .greyscale()
    .resize(width, height, { fit: "fill" })
    .raw()
    .toBuffer();

/**
 * Both hashes of a picture; null for a blank one. dHash: grey 9 × 8, a bit says "left is darker than right", row by row. pHash:
 * grey 32 × 32, DCT, a bit for each of the lowest 8 × 8 frequencies says "above their median".
 *
 * @throws Error when the bytes are not a readable picture
 */
export async function hashPicture(bytes: Uint8Array): Promise<PictureHashes | null> {
  const [small, large] = await Promise.all([grey(bytes, 9, 8), grey(bytes, 32, 32)]);
  if (deviation(large) < MIN_DEVIATION) return null;
  const hashes = { dhash: differenceHash(small), phash: frequencyHash(large) };
  const ones = [hashes.dhash, hashes.phash].map((hash) => onesOf(BigInt(`0x${hash}`)));
  return ones.some((n) => n < MIN_ONES || n > 64 - MIN_ONES) ? null : hashes;
}

function differenceHash(pixels: Uint8Array): string {
  const bits: boolean[] = [];
  for (let y = 0; y < 8; y++) {
    for (let x = 0; x < 8; x++) bits.push((pixels[y * 9 + x] ?? 0) < (pixels[y * 9 + x + 1] ?? 0));
  }
  return hexOf(bits);
}

/** Lowest 8 frequencies of the DCT-II of 32 samples: cosines[u][x], unscaled. */
const cosines = Array.from({ length: 8 }, (_, u) =>
  Array.from({ length: 32 }, (_, x) => Math.cos(((2 * x + 1) * u * Math.PI) / 64)),
);

function frequencyHash(pixels: Uint8Array): string {
  const rows = cosines.map((wave) =>
    Array.from({ length: 32 }, (_, y) =>
      wave.reduce((sum, cosine, x) => sum + cosine * (pixels[y * 32 + x] ?? 0), 0),
    ),
  );
  const values = cosines.flatMap((wave) =>
    rows.map((row) => wave.reduce((sum, cosine, y) => sum + cosine * (row[y] ?? 0), 0)),
  );
  const sorted = [...values].sort((a, b) => a - b);
  const median = ((sorted[31] ?? 0) + (sorted[32] ?? 0)) / 2;
  return hexOf(values.map((value) => value > median));
}

function deviation(pixels: Uint8Array): number {
  const mean = pixels.reduce((sum, value) => sum + value, 0) / pixels.length;
  return Math.sqrt(pixels.reduce((sum, value) => sum + (value - mean) ** 2, 0) / pixels.length);
}

function hexOf(bits: readonly boolean[]): string {
  return bits
    .reduce((hash, bit) => (hash << 1n) | (bit ? 1n : 0n), 0n)
    .toString(16)
    .padStart(16, "0");
}

function onesOf(value: bigint): number {
  return value.toString(2).replaceAll("0", "").length;
}
