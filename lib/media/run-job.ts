import type { DecoderAnswer, DecoderJob } from "./decoder-messages.ts";
import { hashPicture } from "./hashes.ts";
import { renderPicture } from "./render-picture.ts";
import { UndrawablePicture } from "./undrawable-picture.ts";

/** Never throws. */
export async function runJob(job: DecoderJob): Promise<DecoderAnswer> {
  try {
    if (job.kind === "hash") return { ok: true, hashes: await hashPicture(job.bytes) };
    return { ok: true, picture: await renderPicture(job.bytes, job.size, job.format) };
  } catch (error) {
    return { ok: false, reason: error instanceof UndrawablePicture ? error.reason : "not_a_picture" };
  }
}
