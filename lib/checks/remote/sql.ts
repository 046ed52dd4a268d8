import { z } from "zod";
import { dayIn, now } from "#lib/base/clock.ts";
import { db, Prisma, type Tx } from "#lib/base/db.ts";
import { setting } from "#lib/base/setting.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import type { RawRemote } from "#lib/checks/results/raw-checks.ts";
import { isChatModelOn } from "./chat-endpoint.ts";

/** Longer than the round of background work in which a post is asked about. */
const LEASE = "5 minutes";
/** Until the next attempt, by the number of attempts made. */
const DELAYS = ["1 minute", "5 minutes", "30 minutes", "2 hours", "12 hours"];
export const MAX_ATTEMPTS = DELAYS.length + 1;

const FAILURES = 5;
const PAUSE_MS = 10 * 60_000;

export interface Claim {
  post_id: number;
  /** Ends the claim when it has passed; identifies it until then. */
  lease: Date;
  /** With this one. */
  attempts: number;
}

/** A post waits, and the model may be asked. */
export async function anyPostDue(dailyLimit: number): Promise<boolean> {
  if (nextCall(await chatModel.read(), dailyLimit) !== null) return false;
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM post_check
     WHERE remote_state = 'waiting' AND remote_due_at <= now()
     LIMIT 1`;
  return rows.length > 0;
}

/** Longest due first. Concurrent calls get different posts; the claim of a killed process ends with its lease. */
export async function claimPost(): Promise<Claim | null> {
  const rows = await db.$queryRaw<Claim[]>`
    UPDATE post_check
       SET remote_lease_until = now() + ${LEASE}::interval, remote_due_at = now() + ${LEASE}::interval,
           remote_attempts = remote_attempts + 1
     WHERE post_id = (SELECT post_id FROM post_check WHERE remote_state = 'waiting' AND remote_due_at <= now()
                       ORDER BY remote_due_at, post_id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING post_id, remote_lease_until AS lease, remote_attempts AS attempts`;
  return rows[0] ?? null;
}

const RemotePost = z.object({
  plain_text: z.string(),
  spoiler_text: z.string().nullable(),
  language: z.string().nullable(),
  descriptions: z.array(z.string()),
  hashtag: z.string().nullable(),
  key: z.string(),
  may_be_sent: z.boolean(),
  /** It has a result, or failed for good. */
  answered: z.boolean(),
});
export type RemotePost = z.infer<typeof RemotePost>;

/** SQL: version of a post `p` that the chat model is asked about. Results about another version are outdated. */
export const remoteKey = Prisma.sql`md5(jsonb_build_array(
  p.plain_text, coalesce(p.spoiler_text, ''),
  (SELECT jsonb_agg(jsonb_build_array(m ->> 'type', m ->> 'url', m ->> 'description') ORDER BY n)
     FROM jsonb_array_elements(p.media) WITH ORDINALITY AS each (m, n)))::text)`;

/**
 * SQL: a post `p` is unreviewed, not erased, and its author has not refused programs. An author of a reported opt-out
 * counts as refusing until the report is dismissed.
 */
const mayBeSent = Prisma.sql`(p.approved IS NULL AND p.erased_at IS NULL
  AND coalesce(p.consent ->> 'noindex', 'false') <> 'true' AND coalesce(p.consent -> 'refusal_tags', '[]') = '[]'
  AND NOT EXISTS (SELECT FROM reported_opt_out o
                   WHERE o.author_key = p.author_key AND o.resolution IS DISTINCT FROM 'dismissed'))`;

/**
 * Has the chat model asked about posts that changed, and removes outdated results.
 *
 * @param again also about posts whose check failed
 */
export async function queueRemote(tx: Tx, ids: readonly number[], again: boolean): Promise<void> {
  if (!isChatModelOn()) return;
  await tx.$executeRaw`
    UPDATE post_check c
       SET remote_key = k.key, remote_attempts = 0, remote_lease_until = NULL, remote = NULL,
           remote_state = CASE WHEN k.due THEN 'waiting' ELSE 'none' END,
           remote_due_at = CASE WHEN k.due THEN now() END
      FROM (SELECT p.id, ${remoteKey} AS key, ${mayBeSent} AS due FROM post p WHERE p.id = ANY (${[...ids]}::int[])) k
     WHERE c.post_id = k.id AND (k.due OR c.remote_state <> 'none')
       AND (c.remote_key IS DISTINCT FROM k.key OR c.remote_state = 'failed' AND ${again})`;
}

/** The post's current version; results about an earlier one do not count. */
export async function readPost({ post_id }: Claim): Promise<RemotePost | null> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT p.plain_text, p.spoiler_text, p.language, coalesce(s.hashtag, p.stream_hashtag) AS hashtag,
           array(SELECT m ->> 'description' FROM jsonb_array_elements(p.media) m
                  WHERE m ->> 'description' <> '') AS descriptions,
           v.key, ${mayBeSent} AS may_be_sent,
           c.remote IS NOT NULL AND c.remote_key IS NOT DISTINCT FROM v.key AS answered
      FROM post p JOIN post_check c ON c.post_id = p.id LEFT JOIN stream s ON s.id = p.stream_id,
           LATERAL (SELECT ${remoteKey} AS key) v
     WHERE p.id = ${post_id}`;
  return rows[0] === undefined ? null : RemotePost.parse(rows[0]);
}

/** Nothing about it changed since `readPost`, and it may still be sent. */
export async function isUnchanged({ post_id }: Claim, { key }: RemotePost): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM post p
     WHERE p.id = ${post_id} AND ${mayBeSent} AND ${remoteKey} = ${key}`;
  return rows.length > 0;
}

/**
 * The claim continues.
 *
 * @returns false when the claim has ended or the post changed
 */
export async function storeResult(
  { post_id, lease }: Claim,
  { key }: RemotePost,
  result: RawRemote,
): Promise<boolean> {
  const written = await db.$executeRaw`
    UPDATE post_check c SET remote = ${JSON.stringify(result)}::jsonb, remote_key = ${key}, updated_at = now()
      FROM post p
     WHERE c.post_id = ${post_id} AND p.id = c.post_id AND p.erased_at IS NULL AND c.remote_lease_until = ${lease}
       AND ${remoteKey} = ${key}`;
  return written > 0;
}

export async function finishPost(
  { post_id, lease }: Claim,
  state: "none" | "done" | "failed",
): Promise<void> {
  await db.$executeRaw`
    UPDATE post_check SET remote_state = ${state}, remote_due_at = NULL, remote_lease_until = NULL, updated_at = now()
     WHERE post_id = ${post_id} AND remote_lease_until = ${lease}`;
}

/** Another attempt, later with each. */
export async function retryPost({ post_id, lease, attempts }: Claim): Promise<void> {
  const delay = DELAYS[Math.min(attempts, DELAYS.length) - 1] ?? "1 minute";
  await db.$executeRaw`
    UPDATE post_check SET remote_due_at = now() + ${delay}::interval, remote_lease_until = NULL
     WHERE post_id = ${post_id} AND remote_lease_until = ${lease}`;
}

/** The attempt does not count. Due at once without `until`. */
export async function putBackPost({ post_id, lease }: Claim, until: Date | null): Promise<void> {
  await db.$executeRaw`
    UPDATE post_check SET remote_due_at = coalesce(${until}::timestamptz, now()), remote_lease_until = NULL,
                          remote_attempts = greatest(remote_attempts - 1, 0)
     WHERE post_id = ${post_id} AND remote_lease_until = ${lease}`;
}

/** Its calls of a day (UTC) and its circuit breaker, of all processes. */
export const chatModel = setting(
  "chat_model",
  z.object({
    day: z.iso.date().nullable().default(null),
    calls: z.int().default(0),
    failures: z.int().default(0),
    paused_until: z.coerce.date().default(new Date(0)),
    last_error: z.string().nullable().default(null),
    failed_at: z.coerce.date().nullable().default(null),
  }),
);
type ChatModel = Awaited<ReturnType<typeof chatModel.read>>;

const callsToday = ({ day, calls }: ChatModel) => (day === dayIn("UTC", now()) ? calls : 0);

/** Null when a call may be made, else the time of the next one. */
function nextCall(state: ChatModel, dailyLimit: number): Date | null {
  if (state.paused_until > now()) return state.paused_until;
  if (callsToday(state) < dailyLimit) return null;
  return new Date(Date.parse(dayIn("UTC", now())) + 86_400_000);
}

/**
 * Counts a call. The day is that of UTC.
 *
 * @returns null when the call may be made, else the time of the next one
 */
export function takeCall(dailyLimit: number): Promise<{ until: Date } | null> {
  return inTransaction(async (tx) => {
    const state = await chatModel.lock(tx);
    const until = nextCall(state, dailyLimit);
    if (until !== null) return { until };
    await chatModel.set({ day: dayIn("UTC", now()), calls: callsToday(state) + 1 }, tx);
    return null;
  });
}

/** @param until the endpoint asked to wait */
export function noteFailure(last_error: string, until: Date | null): Promise<{ paused_until: Date }> {
  return inTransaction(async (tx) => {
    const state = await chatModel.lock(tx);
    const failures = state.failures + 1;
    const pause = failures >= FAILURES ? new Date(Date.now() + PAUSE_MS) : state.paused_until;
    const paused_until = until !== null && until > pause ? until : pause;
    await chatModel.set({ failures, last_error, failed_at: now(), paused_until }, tx);
    return { paused_until };
  });
}

export async function noteSuccess(): Promise<void> {
  if ((await chatModel.read()).failures > 0) await chatModel.set({ failures: 0 });
}

/** For the screens. */
export async function chatModelState() {
  const state = await chatModel.read();
  const { last_error, failed_at, paused_until } = state;
  return {
    calls_today: callsToday(state),
    paused_until: paused_until > now() ? paused_until : null,
    last_error,
    failed_at,
  };
}

export function countWaiting(): Promise<number> {
  return db.post_check.count({ where: { remote_state: "waiting" } });
}
