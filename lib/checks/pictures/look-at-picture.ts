import { decodeFrom } from "#lib/media/decode-from.ts";
import { hashPicture, readPixels } from "#lib/media/decode-picture.ts";
import { MediaFailure, type MediaFailureKind } from "#lib/media/media-failure.ts";
import type { PictureSource } from "#lib/media/picture-source.ts";
import { storeHashes } from "#lib/media/store-picture-hash.ts";
import { askModel } from "./engine.ts";
import { INPUT_SIZE, type Scores } from "./model-names.ts";
import { RemoteError } from "#lib/fediverse/remote-error.ts";

export interface Retry {
  /** Milliseconds since 1970. */
  not_before: number;
  /** False: no request was sent, because the host asked to wait. */
  counts: boolean;
}

/** `hashed`: only the hashes were wanted. */
export type Looked =
  | { kind: "seen"; scores: Scores }
  | { kind: "hashed" }
  | { kind: "failed"; error: string; retry: Retry | null };

/**
 * Downloads a picture, stores its hashes and asks the classifier. No picture is kept.
 *
 * @param classify false: only the hashes
 * @throws EngineFailure
 */
export async function lookAtPicture(source: PictureSource, classify: boolean): Promise<Looked> {
  let failed: Looked & { kind: "failed" } = { kind: "failed", error: "There is no picture.", retry: null };
  for (const url of source.urls) {
    try {
      return await decodeFrom(url, (bytes) => look(source, bytes, classify));
    } catch (error) {
      if (!(error instanceof MediaFailure)) throw error;
      // Any address may become available.
      failed = { kind: "failed", error: error.message, retry: retryAfter(error) ?? failed.retry };
    }
  }
  return failed;
}

async function look(source: PictureSource, bytes: Buffer, classify: boolean): Promise<Looked> {
  if (!classify) {
    const hashes = await hashPicture(bytes);
    await storeHashes(source, () => hashes);
    return { kind: "hashed" };
  }
  const { pixels, hashes } = await readPixels(bytes, INPUT_SIZE);
  await storeHashes(source, () => hashes);
  return { kind: "seen", scores: await askModel(pixels) };
}

const FINAL: ReadonlySet<MediaFailureKind> = new Set([
  "no_medium",
  "gone",
  "refused",
  "too_large",
  "not_a_picture",
  "not_playable",
]);

function retryAfter({ kind, until, cause }: MediaFailure): Retry | null {
  if (FINAL.has(kind)) return null;
  if (cause instanceof RemoteError && cause.retry_at !== null) {
    // An open circuit is a failure of the host, in the same way as a refused connection.
    const counts = cause.wait_reason === "circuit_open" || cause.wait_reason === "back_off";
    return { not_before: cause.retry_at.getTime(), counts };
  }
  return { not_before: until.getTime(), counts: kind !== "busy" };
}
