import { z } from "zod";
import { now } from "#lib/base/clock.ts";
import { dayIn } from "#lib/base/day-schema.ts";
import { db, Prisma, type Tx } from "#lib/base/db.ts";
import { setting } from "#lib/base/setting.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { isChatModelOn, type Question } from "./chat-model.ts";

const FAILURES = 5;
const PAUSE_MS = 10 * 60_000;
/** Most pictures of a post that are sent. */
export const MAX_PICTURES = 4;

/** SQL: hash of what the chat model reads of a post `p`. A result with another hash is outdated. */
export const remoteKey = Prisma.sql`md5(jsonb_build_array(
  p.plain_text, coalesce(p.spoiler_text, ''),
  (SELECT jsonb_agg(jsonb_build_array(m ->> 'type', m ->> 'url', m ->> 'description') ORDER BY n)
     FROM jsonb_array_elements(p.media) WITH ORDINALITY AS each (m, n)))::text)`;

/**
 * SQL: a post `p` is unreviewed, not erased, and its author has not refused processing by programs. A reported opt-out
 * counts as a refusal until it is dismissed.
 */
const mayBeSent = Prisma.sql`(p.approved IS NULL AND p.erased_at IS NULL
  AND coalesce(p.consent ->> 'noindex', 'false') <> 'true' AND coalesce(p.consent -> 'refusal_tags', '[]') = '[]'
  AND NOT EXISTS (SELECT FROM reported_opt_out o
                   WHERE o.author_key = p.author_key AND o.resolution IS DISTINCT FROM 'dismissed'))`;

/**
 * Makes the chat-model check of posts due that changed or were not sent, and removes outdated results.
 *
 * @param again includes posts whose check failed
 */
export async function queueRemote(tx: Tx, ids: readonly number[], again: boolean): Promise<void> {
  if (!isChatModelOn()) return;
  await tx.$executeRaw`
    UPDATE post_check c
       SET remote_key = k.key, remote_attempts = 0, remote = NULL,
           remote_state = CASE WHEN k.due THEN 'waiting' ELSE 'none' END,
           remote_due_at = CASE WHEN k.due THEN now() END
      FROM (SELECT p.id, ${remoteKey} AS key, ${mayBeSent} AS due FROM post p WHERE p.id = ANY (${[...ids]}::int[])) k
     WHERE c.post_id = k.id AND (k.due OR c.remote_state <> 'none')
       AND (c.remote_key IS DISTINCT FROM k.key OR c.remote_state = 'none' OR c.remote_state = 'failed' AND ${again})`;
}

/** The question about a post, with its `remoteKey`. Null if the post must not be sent. */
export async function readQuestion(postId: number): Promise<{ question: Question; key: string } | null> {
  const rows = await db.$queryRaw<(Question & { key: string })[]>`
    SELECT left(coalesce(p.spoiler_text, ''), 500) AS content_warning, left(p.plain_text, 8000) AS text,
           array(SELECT left(m ->> 'description', 1000) FROM jsonb_array_elements(p.media) m
                  WHERE m ->> 'description' <> '' LIMIT ${MAX_PICTURES}::int) AS picture_descriptions,
           coalesce(s.hashtag, p.stream_hashtag) AS hashtag, p.language, ${remoteKey} AS key
      FROM post p LEFT JOIN stream s ON s.id = p.stream_id
     WHERE p.id = ${postId} AND ${mayBeSent}`;
  const [row] = rows;
  if (row === undefined) return null;
  const { key, ...question } = row;
  return { question, key };
}

/** Calls of the day (UTC) and circuit breaker, shared by all processes. */
export const chatModel = setting(
  "chat_model",
  z.object({
    day: z.iso.date().nullable().default(null),
    calls: z.int().default(0),
    failures: z.int().default(0),
    paused_until: z.coerce.date().default(new Date(0)),
    last_error: z.string().nullable().default(null),
  }),
);
type ChatModel = Awaited<ReturnType<typeof chatModel.read>>;

const today = () => dayIn("UTC", now());
export const callsToday = ({ day, calls }: ChatModel) => (day === today() ? calls : 0);

/** Null when a call may be made, else the time of the next one. */
export function nextCall(state: ChatModel, dailyLimit: number): Date | null {
  if (state.paused_until > now()) return state.paused_until;
  if (callsToday(state) < dailyLimit) return null;
  return new Date(Date.parse(today()) + 86_400_000);
}

/**
 * Counts a call.
 *
 * @returns null when the call may be made, else the time of the next one
 */
export function takeCall(dailyLimit: number): Promise<Date | null> {
  return inTransaction(async (tx) => {
    const state = await chatModel.lock(tx);
    const until = nextCall(state, dailyLimit);
    if (until === null) await chatModel.set({ day: today(), calls: callsToday(state) + 1 }, tx);
    return until;
  });
}

/** @param until time until which the endpoint asked to wait */
export async function noteFailure(last_error: string, until: Date | null): Promise<void> {
  await inTransaction(async (tx) => {
    const state = await chatModel.lock(tx);
    const failures = state.failures + 1;
    const pause = failures >= FAILURES ? new Date(Date.now() + PAUSE_MS) : state.paused_until;
    const paused_until = until !== null && until > pause ? until : pause;
    await chatModel.set({ failures, last_error, paused_until }, tx);
  });
}

export async function noteSuccess(): Promise<void> {
  if ((await chatModel.read()).failures > 0) await chatModel.set({ failures: 0, last_error: null });
}

export function countWaiting(): Promise<number> {
  return db.post_check.count({ where: { remote_state: "waiting" } });
}
