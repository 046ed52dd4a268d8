import type { RawPicture } from "#lib/checks/results/raw-checks.ts";
import { picturesToCheck, type PictureSource } from "#lib/media/picture-source.ts";
import { sourceKey } from "#lib/media/store-picture-hash.ts";
import { EngineFailure } from "./engine.ts";
import { lookAtPicture, type Retry } from "./look-at-picture.ts";
import { ENGINE } from "./model-names.ts";
import type { ClaimedPost, PictureResult } from "./sql.ts";

/** Pictures of a post. */
const MAX_PICTURES = 4;
const MINUTE_MS = 60_000;
/** Times until the next attempt; none after the last one. */
const RETRY_DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS, 720 * MINUTE_MS];
/** Time until models that could not be loaded are tried again. */
const ENGINE_REST_MS = 10 * MINUTE_MS;
const MIN_WAIT_MS = 5_000;

interface Looked {
  /** null if only its hashes were wanted */
  picture: RawPicture | null;
  retry: Retry | null;
}

/**
 * Looks at the pictures of a post, except those that were checked before and still have the same addresses.
 *
 * @param classify false: only hashes are stored, and the post waits until the classifiers can be used
 */
export async function lookAtPost(post: ClaimedPost, classify: boolean): Promise<PictureResult> {
  const sources = picturesToCheck(post.post_id, post.media, MAX_PICTURES);
  const looked = await Promise.all(sources.map(({ n, source }) => lookOnce(post, n, source, classify)));
  return {
    ...stateAfter(post, looked),
    pictures: looked.flatMap(({ picture }) => picture ?? []),
  };
}

async function lookOnce(
  { pictures }: ClaimedPost,
  medium: number,
  source: PictureSource,
  classify: boolean,
): Promise<Looked> {
  const common = { medium, source: sourceKey(source.urls), engine: ENGINE };
  const known = pictures.find((each) => each.medium === medium && each.state === "done");
  if (known?.source === common.source && known.engine === ENGINE) return { picture: known, retry: null };
  const failed = (error: string, retry: Retry | null): Looked => ({
    picture: { ...common, state: "failed", error, scores: null },
    retry,
  });
  try {
    const looked = await lookAtPicture(source, classify);
    if (looked.kind === "hashed") return { picture: null, retry: null };
    if (looked.kind === "failed") return failed(looked.error, looked.retry);
    const { scores } = looked;
    return { picture: { ...common, state: "done", error: null, scores }, retry: null };
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    return failed(error.message, retryOfEngine(error));
  }
}

function retryOfEngine({ kind }: EngineFailure): Retry {
  if (kind === "ended") return { not_before: Date.now(), counts: true };
  return { not_before: Date.now() + (kind === "busy" ? MINUTE_MS : ENGINE_REST_MS), counts: false };
}

function stateAfter(
  post: ClaimedPost,
  looked: readonly Looked[],
): Pick<PictureResult, "state" | "attempts" | "due_at"> {
  const retries = looked.flatMap(({ retry }) => retry ?? []);
  const attempts = post.attempts + (retries.some(({ counts }) => counts) ? 1 : 0);
  if (retries.length > 0 && attempts <= RETRY_DELAYS_MS.length) {
    const pause = attempts > post.attempts ? (RETRY_DELAYS_MS[attempts - 1] ?? 0) : MIN_WAIT_MS;
    const due = Math.max(Date.now() + pause, ...retries.map(({ not_before }) => not_before));
    return { state: "waiting", attempts, due_at: new Date(due) };
  }
  if (looked.length === 0) return { state: "none", attempts: 0, due_at: null };
  if (looked.some(({ picture }) => picture === null)) return { state: "waiting", attempts: 0, due_at: null };
  const isAnyDone = looked.some(({ picture }) => picture?.state === "done");
  return { state: isAnyDone ? "done" : "unavailable", attempts, due_at: null };
}
