import { readCheckSettings } from "#lib/checks/settings/check-settings.ts";
import type { Judge } from "#lib/checks/results/opinion.ts";
import type { RawRemote } from "#lib/checks/results/raw-checks.ts";
import { now } from "#lib/clock.ts";
import type { Tx } from "#lib/db.ts";
import { env } from "#lib/env.ts";
import { isDatabaseAway } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { loadPictures, type LoadedPictures } from "./load-pictures.ts";
import { postJson, providerHost } from "./post-json.ts";
import type { Provider, RemoteOpinion, Send } from "./provider.ts";
import { hasContent, inputOf, openChecks, type RemoteCheck } from "./remote-checks.ts";
import { isPassing, RemoteFailure } from "./remote-failure.ts";
import {
  anyPostDue,
  claimPost,
  finishPost,
  isUnchanged,
  MAX_ATTEMPTS,
  noteFailure,
  noteSuccess,
  putBackPost,
  queueQuestion,
  readPost,
  retryPost,
  storeResult,
  takeCall,
  type Claim,
  type RemotePost,
} from "./sql.ts";

/** Servers of local models answer one request after the other. */
const AT_ONCE = 2;
/** Attempts in which all pictures must be loaded; later ones do without. */
const PATIENT_ATTEMPTS = 2;
/** Besides the time-out of a call. */
const MARGIN_MS = 2_000;

export function isRemoteCheckDue(): Promise<boolean> {
  const { AI_PROVIDER, AI_DAILY_LIMIT } = env();
  return anyPostDue(AI_PROVIDER, AI_DAILY_LIMIT);
}

/**
 * Asks the providers about waiting posts and judges the posts again. A post is begun only when a call can end before the
 * deadline.
 */
export async function askRemoteChecks(
  limits: { deadline: Date; signal?: AbortSignal | undefined },
  judge: Judge,
): Promise<{ worked: boolean }> {
  const timeLeftMs = () => limits.deadline.getTime() - now().getTime();
  const late = AbortSignal.timeout(Math.max(1, timeLeftMs()));
  const signal = limits.signal ? AbortSignal.any([late, limits.signal]) : late;
  let worked = false;
  const work = async () => {
    while (!signal.aborted && timeLeftMs() > env().AI_TIMEOUT_MS + MARGIN_MS && (await isRemoteCheckDue())) {
      const claim = await claimPost();
      if (claim === null) return;
      worked = true;
      await askAbout(claim, judge, signal);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { worked };
}

/** After a change of a stream's question: asks about its newest unreviewed posts, as many as a day allows. */
export async function askStreamAgain(tx: Tx, streamId: number): Promise<void> {
  const { AI_PROVIDER, AI_DAILY_LIMIT } = env();
  if (AI_PROVIDER.includes("openai-compatible")) await queueQuestion(tx, streamId, AI_DAILY_LIMIT);
}

async function askAbout(claim: Claim, judge: Judge, signal: AbortSignal): Promise<void> {
  try {
    await checkPost(claim, judge, signal);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    log.error({ err: error, post_id: claim.post_id }, "remote check failed");
    await retryPost(claim);
  }
}

async function checkPost(claim: Claim, judge: Judge, signal: AbortSignal): Promise<void> {
  /** Results are judged before the claim ends, so that a killed process leaves the post due. */
  const finish = async (state: "none" | "done" | "failed") => {
    await judge([claim.post_id]);
    await finishPost(claim, state);
  };
  const post = await readPost(claim);
  if (post === null) return;
  const checks = openChecks(post, await readCheckSettings());
  if (!post.may_be_sent || checks.length === 0) return finish(post.answered.length > 0 ? "done" : "none");
  if (claim.attempts > MAX_ATTEMPTS) {
    // Processes were killed in all attempts.
    for (const check of checks) await storeResult(claim, post, check.name, failed(check, post, INTERRUPTED));
    return finish("failed");
  }
  const pictures = await beforeAbort(loadPictures(claim.post_id), signal);
  if (pictures === null || (pictures.retry && claim.attempts <= PATIENT_ATTEMPTS)) return retryPost(claim);
  const open: RemoteFailure[] = [];
  let isComplete = true;
  for (const check of checks) {
    if (!(await isUnchanged(claim, post))) return putBackPost(claim, null);
    const result = await resultOf(check, { claim, post, pictures, signal });
    if (result instanceof RemoteFailure) open.push(result);
    else if (!(await storeResult(claim, post, check.name, result))) return putBackPost(claim, null);
    else isComplete &&= result.error === null;
  }
  if (open.length === 0) return finish(isComplete ? "done" : "failed");
  await judge([claim.post_id]);
  await askLater(claim, open);
}

/** @returns null if aborted; the work then ends by itself */
async function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const aborted = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener("abort", () => resolve(null), { once: true });
  });
  return Promise.race([work, aborted]);
}

async function askLater(claim: Claim, failures: readonly RemoteFailure[]): Promise<void> {
  if (failures.some(({ kind }) => kind !== "unavailable")) return retryPost(claim);
  const times = failures.flatMap(({ until }) => until ?? []);
  await putBackPost(claim, times.length === 0 ? null : new Date(Math.max(...times.map(Number))));
}

interface Question {
  claim: Claim;
  post: RemotePost;
  pictures: LoadedPictures;
  signal: AbortSignal;
}

/** A failure is returned when another attempt may succeed, and is a result otherwise. */
async function resultOf(check: RemoteCheck, question: Question): Promise<RawRemote | RemoteFailure> {
  const { claim, post, pictures, signal } = question;
  const { provider } = check;
  const content = inputOf(post, pictures.images);
  if (!hasContent(content)) return failed(check, post, NOTHING_TO_SEND);
  const context = { hashtag: post.hashtag, language: post.language, question: check.question };
  try {
    const opinion = await provider.classify({ ...content, context }, sender(provider, signal));
    await noteSuccess(provider.name);
    return answered(check, post, pictures, opinion);
  } catch (error) {
    if (!(error instanceof RemoteFailure)) throw error;
    await note(provider, error, claim);
    const isLast = claim.attempts >= MAX_ATTEMPTS && error.kind !== "unavailable";
    return isPassing(error.kind) && !isLast ? error : failed(check, post, error.message);
  }
}

function sender(provider: Provider, signal: AbortSignal): Send {
  return async (path, body) => {
    const refusal = await takeCall(provider.name, env().AI_DAILY_LIMIT);
    if (refusal !== null) {
      throw new RemoteFailure("unavailable", `${providerHost()} is not asked now.`, { until: refusal.until });
    }
    return postJson(path, body, signal);
  };
}

async function note(provider: Provider, failure: RemoteFailure, claim: Claim): Promise<void> {
  if (failure.kind === "unavailable" || failure.kind === "aborted") return;
  const { paused_until } = await noteFailure(provider.name, failure.message, failure.until);
  log.warn(
    {
      provider: provider.name,
      post_id: claim.post_id,
      attempt: claim.attempts,
      error: failure.message,
      paused_until,
    },
    "remote check not answered",
  );
}

const INTERRUPTED = "The check was interrupted several times.";
const NOTHING_TO_SEND = "The post has no text, and no picture that could be loaded.";

function answered(
  check: RemoteCheck,
  post: RemotePost,
  pictures: LoadedPictures,
  { labels, wouldReject, reason = "", usage }: RemoteOpinion,
): RawRemote {
  const missing = pictures.of - pictures.images.length;
  const note = missing > 0 ? `${missing} of ${pictures.of} pictures could not be loaded.` : "";
  return {
    ...resultBase(check, post),
    labels: Object.fromEntries(labels.map(({ name, score }) => [name, score])),
    would_reject: wouldReject ?? null,
    reason: [reason, note].filter(Boolean).join(" ") || null,
    model: usage.model,
    error: null,
  };
}

function failed(check: RemoteCheck, post: RemotePost, error: string): RawRemote {
  return { ...resultBase(check, post), labels: {}, would_reject: null, reason: null, error };
}

function resultBase({ provider, question }: RemoteCheck, post: RemotePost) {
  return {
    provider: provider.name,
    model: env().OPENAI_MODEL ?? provider.name,
    at: now().toISOString(),
    ...(question === null ? {} : { question: post.question_hash }),
  };
}
