import type { DecoderAnswer, DecoderJob } from "./decoder-messages.ts";
import { hashPicture } from "./hashes.ts";
import { picturePixels, renderPicture } from "./render-picture.ts";
import { UndrawablePicture } from "./undrawable-picture.ts";

/** Never throws. */
export async function runJob(job: DecoderJob): Promise<DecoderAnswer> {
  try {
    switch (job.kind) {
      case "render":
        return { ok: true, picture: await renderPicture(job.bytes, job.size, job.format) };
      case "hash":
        return { ok: true, hashes: await hashPicture(job.bytes) };
      case "pixels":
        return {
          ok: true,
          pixels: await picturePixels(job.bytes, job.size),
          hashes: await hashPicture(job.bytes),
        };
    }
  } catch (error) {
    return { ok: false, reason: error instanceof UndrawablePicture ? error.reason : "not_a_picture" };
  }
}
