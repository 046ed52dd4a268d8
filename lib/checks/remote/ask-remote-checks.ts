import { once } from "node:events";
import { now } from "#lib/base/clock.ts";
import { Prisma } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { isDatabaseAway } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import type { RawRemote } from "#lib/checks/results/raw-checks.ts";
import { readCheckSettings } from "#lib/checks/settings/check-settings.ts";
import {
  checkDue,
  isAnyDue,
  retryAt,
  settleClaim,
  type Claim,
  type Outcome,
} from "#lib/checks/verdict/later-checks.ts";
import { renderPicture } from "#lib/media/decode-picture.ts";
import { getPicture } from "#lib/media/get-picture.ts";
import { MediaFailure } from "#lib/media/media-failure.ts";
import { postPictures, type PictureSource } from "#lib/media/picture-source.ts";
import { askChatModel, ChatFailure, isChatModelOn, TIMEOUT_MS } from "./chat-model.ts";
import {
  chatModel,
  MAX_PICTURES,
  nextCall,
  noteFailure,
  noteSuccess,
  readQuestion,
  takeCall,
} from "./sql.ts";

/** Few, because servers of local models answer one request after the other. */
const AT_ONCE = 2;
/** Time left for the database, besides the time-out of a call. */
const MARGIN_MS = 2_000;
/** Pictures are scaled down to fit a square of so many pixels. */
const SIZE_PX = 512;

/** Posts wait while the check is off, paused or at its limit. */
export async function isRemoteCheckDue(): Promise<boolean> {
  if (!isChatModelOn() || !(await readCheckSettings()).checks.chat_model.enabled) return false;
  return nextCall(await chatModel.read(), env().AI_DAILY_LIMIT) === null && isAnyDue("remote");
}

/**
 * Asks the chat model about waiting posts and judges the posts again. A post is begun only when a call can end before the
 * deadline.
 */
export async function askRemoteChecks(limits: {
  deadline: Date;
  signal?: AbortSignal | undefined;
}): Promise<{ worked: boolean }> {
  const timeLeftMs = () => limits.deadline.getTime() - now().getTime();
  const late = AbortSignal.timeout(Math.max(1, timeLeftMs()));
  const signal = limits.signal ? AbortSignal.any([late, limits.signal]) : late;
  const aborted = once(signal, "abort").then(() => null);
  return checkDue(
    "remote",
    AT_ONCE,
    async () => !signal.aborted && timeLeftMs() > TIMEOUT_MS + MARGIN_MS && (await isRemoteCheckDue()),
    async (claim) => settleClaim("remote", claim, await outcomeOf(claim, signal, aborted)),
  );
}

async function outcomeOf(claim: Claim, signal: AbortSignal, aborted: Promise<null>): Promise<Outcome> {
  try {
    return await checkPost(claim, signal, aborted);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    log.error({ err: error, post_id: claim.post_id }, "remote check failed");
    return again(claim) ?? finished(claim, null, failed("The check failed several times."));
  }
}

async function checkPost(claim: Claim, signal: AbortSignal, aborted: Promise<null>): Promise<Outcome> {
  const { attempts } = claim;
  const sources = ((await postPictures(claim.post_id)) ?? []).slice(0, MAX_PICTURES);
  const loading = Promise.all(sources.map(({ source }) => loadPicture(source)));
  const loaded = await Promise.race([loading, aborted]);
  if (loaded === null) return { state: "waiting", attempts, due_at: now() };
  // Read after the downloads: the author may have refused in the meantime.
  const post = await readQuestion(claim.post_id);
  if (post === null) return { state: "none", attempts, due_at: null };
  const pictures = loaded.filter((each) => each !== null);
  const { question } = post;
  const parts = [question.content_warning, question.text, ...question.picture_descriptions];
  if (pictures.length === 0 && parts.every((part) => part.trim() === ""))
    return finished(claim, post, failed("The post has no text, and no picture that could be loaded."));
  const until = await takeCall(env().AI_DAILY_LIMIT);
  if (until !== null) return { state: "waiting", attempts, due_at: until };
  try {
    const { reason, ...answer } = await askChatModel(question, pictures, signal);
    await noteSuccess();
    const missing = sources.length - pictures.length;
    const note = missing > 0 ? `${missing} of ${sources.length} pictures could not be loaded.` : "";
    const text = [reason, note].filter(Boolean).join(" ") || null;
    return finished(claim, post, { ...answer, reason: text, at: now().toISOString(), error: null });
  } catch (error) {
    if (!(error instanceof ChatFailure)) throw error;
    if (signal.aborted) return { state: "waiting", attempts, due_at: now() };
    await noteFailure(error.message, error.until);
    log.warn({ post_id: claim.post_id, attempts, error: error.message }, "remote check not answered");
    return (error.isFinal ? null : again(claim)) ?? finished(claim, post, failed(error.message));
  }
}

/** Schedules another attempt; null after the last one. */
function again(claim: Claim): Outcome | null {
  const attempts = claim.attempts + 1;
  const due_at = retryAt(attempts);
  return due_at && { state: "waiting", attempts, due_at };
}

function finished({ attempts }: Claim, post: { key: string } | null, result: RawRemote): Outcome {
  const remote = Prisma.sql`remote = ${JSON.stringify(result)}::jsonb`;
  const key = post ? Prisma.sql`, remote_key = ${post.key}` : Prisma.empty;
  const state = result.error === null ? "done" : "failed";
  return { state, attempts, due_at: null, result: Prisma.sql`${remote}${key}` };
}

/** The picture as JPEG, because not all model servers read WebP. Null when it cannot be loaded. */
async function loadPicture(source: PictureSource): Promise<Buffer | null> {
  try {
    return await renderPicture(await getPicture(source, SIZE_PX), SIZE_PX, "jpeg");
  } catch (error) {
    if (error instanceof MediaFailure) return null;
    throw error;
  }
}

function failed(error: string): RawRemote {
  return { labels: {}, reason: null, model: env().AI_MODEL ?? "", at: now().toISOString(), error };
}
