import { failedBytes, fetchBytes } from "./fetch-bytes.ts";
import { looksLikePicture } from "./sniff.ts";
import { UndrawablePicture, type UndrawableReason } from "./media-failure.ts";

/**
 * Downloads a picture and decodes it.
 *
 * @throws MediaFailure
 */
export async function decodeFrom<T>(url: string, decode: (bytes: Buffer) => Promise<T>): Promise<T> {
  const bytes = await fetchBytes(url);
  if (!looksLikePicture(bytes)) {
    throw failedBytes(url, "not_a_picture", "The file is not a JPEG, PNG, GIF, WebP or AVIF.");
  }
  try {
    return await decode(bytes);
  } catch (error) {
    if (!(error instanceof UndrawablePicture)) throw error;
    throw failedBytes(url, error.reason, UNDRAWABLE[error.reason], error);
  }
}

const UNDRAWABLE: Record<UndrawableReason, string> = {
  not_a_picture: "The picture is damaged.",
  too_large: "The picture needs too much memory or time to be drawn.",
  busy: "Too many pictures are waiting to be drawn. Try again in a few seconds.",
};
