import { now } from "#lib/base/clock.ts";
import { env } from "#lib/base/env.ts";
import { isDatabaseAway } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import type { Judge } from "#lib/checks/results/opinion.ts";
import type { RawRemote } from "#lib/checks/results/raw-checks.ts";
import { readCheckSettings } from "#lib/checks/settings/check-settings.ts";
import { cutCodePoints } from "#lib/fediverse/post-text.ts";
import { askChatModel } from "./ask-chat-model.ts";
import { askEndpoint, chatHost, isChatModelOn, TIMEOUT_MS } from "./chat-endpoint.ts";
import type { RemoteImage, RemoteInput } from "./chat-prompt.ts";
import { loadPictures, MAX_PICTURES, type LoadedPictures } from "./load-pictures.ts";
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
/** Characters of each part of a post that is sent. */
const MAX_LENGTHS = { text: 8000, content_warning: 500, description: 1000 };

export async function isRemoteCheckDue(): Promise<boolean> {
  return isChatModelOn() && (await anyPostDue(env().AI_DAILY_LIMIT));
}

/**
 * Asks the chat model about waiting posts and judges the posts again. A post is begun only when a call can end before the
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
    while (!signal.aborted && timeLeftMs() > TIMEOUT_MS + MARGIN_MS && (await isRemoteCheckDue())) {
      const claim = await claimPost();
      if (claim === null) return;
      worked = true;
      await askAbout(claim, judge, signal);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { worked };
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
  if (post.answered) return finish("done");
  const { enabled } = (await readCheckSettings()).checks.chat_model;
  if (!post.may_be_sent || !enabled) return finish("none");
  const pictures = await beforeAbort(loadPictures(claim.post_id), signal);
  // Processes were killed in all attempts.
  const wasInterrupted = claim.attempts > MAX_ATTEMPTS;
  if (!wasInterrupted && (pictures === null || (pictures.retry && claim.attempts <= PATIENT_ATTEMPTS)))
    return retryPost(claim);
  if (!(await isUnchanged(claim, post))) return putBackPost(claim, null);
  const result =
    wasInterrupted || pictures === null ? failed(INTERRUPTED) : await ask({ claim, post, pictures, signal });
  if (result instanceof RemoteFailure) {
    return result.kind === "unavailable" ? putBackPost(claim, result.until) : retryPost(claim);
  }
  if (!(await storeResult(claim, post, result))) return putBackPost(claim, null);
  return finish(result.error === null ? "done" : "failed");
}

/** @returns null if aborted; the work then ends by itself */
async function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const aborted = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener("abort", () => resolve(null), { once: true });
  });
  return Promise.race([work, aborted]);
}

interface Question {
  claim: Claim;
  post: RemotePost;
  pictures: LoadedPictures;
  signal: AbortSignal;
}

/** A failure is returned when another attempt may succeed, and is a result otherwise. */
async function ask({ claim, post, pictures, signal }: Question): Promise<RawRemote | RemoteFailure> {
  const input = inputOf(post, pictures.images);
  if (!hasContent(input)) return failed(NOTHING_TO_SEND);
  try {
    const { labels, reason, model } = await askChatModel(input, async (body) => {
      const refusal = await takeCall(env().AI_DAILY_LIMIT);
      if (refusal !== null) {
        throw new RemoteFailure("unavailable", `${chatHost()} is not asked now.`, { until: refusal.until });
      }
      return askEndpoint(body, signal);
    });
    await noteSuccess();
    const missing = pictures.of - pictures.images.length;
    const note = missing > 0 ? `${missing} of ${pictures.of} pictures could not be loaded.` : "";
    return {
      labels,
      reason: [reason, note].filter(Boolean).join(" ") || null,
      model,
      at: now().toISOString(),
      error: null,
    };
  } catch (error) {
    if (!(error instanceof RemoteFailure)) throw error;
    await note(error, claim);
    const isLast = claim.attempts >= MAX_ATTEMPTS && error.kind !== "unavailable";
    return isPassing(error.kind) && !isLast ? error : failed(error.message);
  }
}

async function note(failure: RemoteFailure, { post_id, attempts }: Claim): Promise<void> {
  if (failure.kind === "unavailable" || failure.kind === "aborted") return;
  const { paused_until } = await noteFailure(failure.message, failure.until);
  log.warn({ post_id, attempt: attempts, error: failure.message, paused_until }, "remote check not answered");
}

const INTERRUPTED = "The check was interrupted several times.";
const NOTHING_TO_SEND = "The post has no text, and no picture that could be loaded.";

function failed(error: string): RawRemote {
  return { labels: {}, reason: null, model: env().AI_MODEL ?? "", at: now().toISOString(), error };
}

function inputOf(post: RemotePost, images: RemoteImage[]): RemoteInput {
  const { hashtag, language } = post;
  return {
    text: {
      content_warning: cutCodePoints(post.spoiler_text ?? "", MAX_LENGTHS.content_warning),
      text: cutCodePoints(post.plain_text, MAX_LENGTHS.text),
      picture_descriptions: post.descriptions
        .slice(0, MAX_PICTURES)
        .map((description) => cutCodePoints(description, MAX_LENGTHS.description)),
    },
    images,
    hashtag,
    language,
  };
}

function hasContent({ text, images }: RemoteInput): boolean {
  const { content_warning, text: body, picture_descriptions } = text;
  return (
    images.length > 0 || [content_warning, body, ...picture_descriptions].some((part) => part.trim() !== "")
  );
}
