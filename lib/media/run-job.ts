import type { DecoderAnswer, DecoderJob } from "./decode-picture.ts";
import { hashPicture } from "./hashes.ts";
import { picturePixels, renderPicture } from "./render-picture.ts";
import { MediaFailure, undrawable } from "./media-failure.ts";

/** Decodes a picture. Never throws. */
export async function runJob(job: DecoderJob): Promise<DecoderAnswer> {
  try {
    if (job.kind === "render")
      return { ok: true, picture: await renderPicture(job.bytes, job.size, job.format), hashes: null };
    const picture = job.size === null ? new Uint8Array() : await picturePixels(job.bytes, job.size);
    return { ok: true, picture, hashes: await hashPicture(job.bytes) };
  } catch (error) {
    const { kind, message } = error instanceof MediaFailure ? error : undrawable("not_a_picture");
    return { ok: false, kind, message };
  }
}
