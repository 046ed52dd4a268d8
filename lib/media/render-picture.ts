import sharp from "sharp";
import { limited } from "./limited.ts";

/** Part of every ETag: raised when pictures come out differently. */
export const RENDER_VERSION = 1;

/** 40 megapixels: a decoded picture must not fill the memory of a small server ("decompression bomb"). */
const PIXEL_LIMIT = 40e6;
/** Decoding is what costs memory and time, and two cores are what a small server has. */
const inTurn = limited(2);

// The pictures are all different, so libvips' own cache would only hold memory.
sharp.cache(false);
sharp.concurrency(1);

/**
 * A picture as WebP that fits into a square of `size` pixels, upright, never enlarged, the first frame of a moving
 * one. Everything but the pixels is left behind: where it was taken, by which camera, what was hidden in it.
 * @throws when the bytes cannot be read as a picture
 */
export function renderPicture(bytes: Uint8Array, size: number): Promise<Buffer> {
  return inTurn(() =>
    sharp(bytes, { limitInputPixels: PIXEL_LIMIT, failOn: "error", pages: 1 })
      .timeout({ seconds: 10 })
      .autoOrient()
      .toColourspace("srgb")
      .resize(size, size, { fit: "inside", withoutEnlargement: true })
      .webp({ quality: 80, effort: 3 })
      .toBuffer(),
  );
}
