import sharp, { type Metadata, type Sharp } from "sharp";
import { MediaFailure, undrawable } from "./media-failure.ts";

export const DECODE_SECONDS = 10;
const MAX_PIXELS = 40e6;
/** Limit of a picture that cannot be decoded line by line. */
const MAX_WHOLE_BYTES = 128 * 1024 * 1024;
export const INPUT = { limitInputPixels: MAX_PIXELS, failOn: "error", pages: 1 } as const;

// Pictures rarely repeat.
sharp.cache(false);
sharp.concurrency(1);

/**
 * WebP within a square of `size` pixels, upright, never enlarged, first frame only, without metadata. The header is
 * read first.
 *
 * @param format `jpeg`: on white
 * @throws MediaFailure
 */
export function renderPicture(
  bytes: Uint8Array,
  size: number,
  format: "webp" | "jpeg" = "webp",
): Promise<Buffer> {
  return drawn(bytes, (picture) => {
    const resized = picture
      .toColourspace("srgb")
      .resize(size, size, { fit: "inside", withoutEnlargement: true });
    return format === "jpeg"
      ? resized.flatten({ background: "#fff" }).jpeg({ quality: 80 }).toBuffer()
      : resized.webp({ quality: 80, effort: 3 }).toBuffer();
  });
}

/**
 * Red, green and blue of `size` × `size` pixels, stretched, upright, on white, first frame only: the input of the
 * classifiers. The cubic kernel gave fewer false alarms than the linear one.
 *
 * @throws MediaFailure
 */
export function picturePixels(bytes: Uint8Array, size: number): Promise<Buffer> {
  return drawn(bytes, (picture) =>
    picture
      .flatten({ background: "#fff" })
      .toColourspace("srgb")
      .resize(size, size, { fit: "fill", kernel: "cubic" })
      .removeAlpha()
      .raw()
      .toBuffer(),
  );
}

async function drawn(bytes: Uint8Array, draw: (picture: Sharp) => Promise<Buffer>): Promise<Buffer> {
  const picture = sharp(bytes, INPUT).timeout({ seconds: DECODE_SECONDS });
  try {
    if (isTooLarge(await sharp(bytes, { ...INPUT, limitInputPixels: false }).metadata()))
      throw undrawable("too_large");
    return await draw(picture.autoOrient());
  } catch (error) {
    if (error instanceof MediaFailure) throw error;
    const isSlow = error instanceof Error && error.message.startsWith("timeout");
    throw undrawable(isSlow ? "too_large" : "not_a_picture", error);
  }
}

/** Interlaced and progressive pictures are held as a whole; others pass line by line. */
function isTooLarge({
  width,
  height,
  channels,
  depth,
  format,
  isProgressive,
  chromaSubsampling,
}: Metadata): boolean {
  const pixels = width * height;
  if (pixels > MAX_PIXELS) return true;
  if (isProgressive !== true && format !== "gif" && format !== "heif") return false;
  if (format === "jpeg") return pixels * 2 * samplesOf(chromaSubsampling, channels) > MAX_WHOLE_BYTES;
  return pixels * channels * (depth === "uchar" ? 1 : 2) > MAX_WHOLE_BYTES;
}

/** A progressive JPEG has coefficients of two bytes for each sample. */
function samplesOf(chromaSubsampling: string | undefined, channels: number): number {
  return chromaSubsampling === "4:2:0" ? 1.5 : chromaSubsampling === "4:2:2" ? 2 : channels;
}
