import { db, Prisma } from "#lib/base/db.ts";
import { log } from "#lib/base/log.ts";
import { RawPicture } from "#lib/checks/results/raw-checks.ts";
import { checkDue, isAnyDue, retryAt, settleClaim, type Claim } from "#lib/checks/verdict/later-checks.ts";
import { RemoteError } from "#lib/fediverse/remote-error.ts";
import { readPicture } from "#lib/media/decode-picture.ts";
import { decodeFrom } from "#lib/media/fetch-bytes.ts";
import { isPassing, MediaFailure } from "#lib/media/media-failure.ts";
import { sourceKey, storeHashes } from "#lib/media/picture-hashes.ts";
import { postPictures, type PictureSource } from "#lib/media/picture-source.ts";
import { engineProblem } from "./engine-state.ts";
import { askModel, EngineFailure } from "./engine.ts";
import { ENGINE, INPUT_SIZE, type Scores } from "./models.ts";

/** Posts at a time. Most of them wait for downloads, so a slow host holds up only its own posts. */
const AT_ONCE = 16;
/** No post is begun with less time left, because a slow download needs it. */
const MIN_TIME_LEFT_MS = 15_000;
/** Most pictures of a post that are checked. */
const MAX_PICTURES = 4;
const MIN_WAIT_MS = 5_000;

/** Whether any picture is due. Without a classifier pictures wait. */
export async function arePicturesDue(): Promise<boolean> {
  return engineProblem() === null && isAnyDue("picture");
}

/** Downloads and classifies pictures that are due. */
export function checkPictures({
  deadline,
  signal,
}: {
  deadline: Date;
  signal?: AbortSignal | undefined;
}): Promise<{ worked: boolean }> {
  const mayBegin = async () =>
    !signal?.aborted && deadline.getTime() - Date.now() > MIN_TIME_LEFT_MS && (await arePicturesDue());
  return checkDue("picture", AT_ONCE, mayBegin, (claim) =>
    checkPost(claim).catch((error: unknown) => {
      log.warn({ err: error, post_id: claim.post_id }, "pictures not checked");
    }),
  );
}

/** Skips reviewed posts, and pictures that were checked before under the same addresses. */
async function checkPost(claim: Claim): Promise<void> {
  const { post_id } = claim;
  const stored = await db.post_check.findUnique({
    where: { post_id, post: { approved: null } },
    select: { pictures: true },
  });
  if (stored === null) {
    await settleClaim("picture", claim, { state: "none", attempts: 0, due_at: null });
    return;
  }
  // Results that this version of the program cannot read are ignored.
  const known = RawPicture.array().catch([]).parse(stored.pictures);
  const pictures = ((await postPictures(post_id)) ?? []).slice(0, MAX_PICTURES);
  const results = await Promise.all(pictures.map(({ n, source }) => checkPicture(n, source, known)));
  const result = Prisma.sql`pictures = ${JSON.stringify(results.map(({ picture }) => picture))}::jsonb`;
  await settleClaim("picture", claim, { ...stateAfter(claim, results), result });
}

function stateAfter(claim: Claim, results: readonly PictureResult[]) {
  const retries = results.flatMap(({ retry }) => retry ?? []);
  const attempts = claim.attempts + (retries.some(({ counts }) => counts) ? 1 : 0);
  const next = attempts > claim.attempts ? retryAt(attempts) : new Date(Date.now() + MIN_WAIT_MS);
  if (retries.length > 0 && next !== null) {
    const due = Math.max(next.getTime(), ...retries.map(({ not_before }) => not_before));
    return { state: "waiting", attempts, due_at: new Date(due) };
  }
  if (results.length === 0) return { state: "none", attempts: 0, due_at: null };
  const isAnyDone = results.some(({ picture }) => picture.state === "done");
  return { state: isAnyDone ? "done" : "unavailable", attempts, due_at: null };
}

/** Pause after the model could not be loaded. */
const ENGINE_REST_MS = 10 * 60_000;

interface PictureResult {
  picture: RawPicture;
  /** `counts`: whether it was a failed attempt. False if nothing was tried: the host asked to wait, or the classifier is busy. */
  retry: { not_before: number; counts: boolean } | null;
}

/**
 * Downloads a picture, stores its hashes and asks the classifier. No picture is kept.
 *
 * @param known earlier results of the post
 */
async function checkPicture(
  medium: number,
  source: PictureSource,
  known: readonly RawPicture[],
): Promise<PictureResult> {
  const common = { medium, source: sourceKey(source.urls), engine: ENGINE };
  const done = known.find((each) => each.medium === medium && each.state === "done");
  if (done?.source === common.source && done.engine === ENGINE) return { picture: done, retry: null };
  let error = "There is no picture.";
  let retry: PictureResult["retry"] = null;
  for (const url of source.urls) {
    try {
      const scores = await decodeFrom(url, (bytes) => classify(source, bytes));
      return { picture: { ...common, state: "done", error: null, scores }, retry: null };
    } catch (failure) {
      if (!(failure instanceof MediaFailure || failure instanceof EngineFailure)) throw failure;
      error = failure.message;
      // Retry if any of the addresses may become available.
      retry = retryAfter(failure) ?? retry;
      if (failure instanceof EngineFailure) break;
    }
  }
  return { picture: { ...common, state: "failed", error, scores: null }, retry };
}

async function classify(source: PictureSource, bytes: Buffer): Promise<Scores> {
  const { pixels, hashes } = await readPicture(bytes, INPUT_SIZE);
  await storeHashes(source, () => Promise.resolve(hashes));
  return askModel(pixels);
}

function retryAfter(failure: MediaFailure | EngineFailure): PictureResult["retry"] {
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
