import sharp from "sharp";
import { limited } from "./limited.ts";

/** Part of every ETag. Raise it when the rendering changes. */
export const RENDER_VERSION = 1;

/** 40 megapixels, against decompression bombs. */
const PIXEL_LIMIT = 40e6;
/** Decoding costs memory and time. */
const inTurn = limited(2);

// Pictures rarely repeat.
sharp.cache(false);
sharp.concurrency(1);

/**
 * WebP within a square of `size` pixels, upright, never enlarged, first frame only, without metadata.
 *
 * @throws Error when the bytes are not a readable picture
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
