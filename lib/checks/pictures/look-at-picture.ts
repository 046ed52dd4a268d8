import type { RawPicture } from "#lib/checks/results/raw-checks.ts";
import { RemoteError } from "#lib/fediverse/remote-error.ts";
import { decodeFrom } from "#lib/media/fetch-bytes.ts";
import { readPixels } from "#lib/media/decode-picture.ts";
import { isPassing, MediaFailure } from "#lib/media/media-failure.ts";
import type { PictureSource } from "#lib/media/picture-source.ts";
import { sourceKey, storeHashes } from "#lib/media/picture-hashes.ts";
import { askModel, EngineFailure } from "./engine.ts";
import { ENGINE, INPUT_SIZE, type Scores } from "./models.ts";

/** Time until a model that could not be loaded is tried again. */
const ENGINE_REST_MS = 10 * 60_000;

export interface Looked {
  picture: RawPicture;
  /** `counts`: the attempt failed; false: nothing was tried, because the host asked to wait, or the classifier is busy. */
  retry: { not_before: number; counts: boolean } | null;
}

/**
 * Downloads a picture, stores its hashes and asks the classifier. No picture is kept.
 *
 * @param known results of the post
 */
export async function lookAtPicture(
  medium: number,
  source: PictureSource,
  known: readonly RawPicture[],
): Promise<Looked> {
  const common = { medium, source: sourceKey(source.urls), engine: ENGINE };
  const done = known.find((each) => each.medium === medium && each.state === "done");
  if (done?.source === common.source && done.engine === ENGINE) return { picture: done, retry: null };
  let error = "There is no picture.";
  let retry: Looked["retry"] = null;
  for (const url of source.urls) {
    try {
      const scores = await decodeFrom(url, (bytes) => look(source, bytes));
      return { picture: { ...common, state: "done", error: null, scores }, retry: null };
    } catch (failure) {
      if (!(failure instanceof MediaFailure || failure instanceof EngineFailure)) throw failure;
      error = failure.message;
      // Any address may become available.
      retry = retryAfter(failure) ?? retry;
      if (failure instanceof EngineFailure) break;
    }
  }
  return { picture: { ...common, state: "failed", error, scores: null }, retry };
}

async function look(source: PictureSource, bytes: Buffer): Promise<Scores> {
  const { pixels, hashes } = await readPixels(bytes, INPUT_SIZE);
  await storeHashes(source, () => Promise.resolve(hashes));
  return askModel(pixels);
}

function retryAfter(failure: MediaFailure | EngineFailure): Looked["retry"] {
  if (failure instanceof EngineFailure) {
    const isRest = failure.kind === "failed";
    return { not_before: Date.now() + (isRest ? ENGINE_REST_MS : 0), counts: failure.kind === "ended" };
  }
  const { kind, until, cause } = failure;
  if (!isPassing(failure)) return null;
  if (cause instanceof RemoteError && cause.retry_at !== null) {
    // An open circuit is a failure of the host, in the same way as a refused connection.
    const counts = cause.wait_reason === "circuit_open" || cause.wait_reason === "back_off";
    return { not_before: cause.retry_at.getTime(), counts };
  }
  return { not_before: until.getTime(), counts: kind !== "busy" };
}
