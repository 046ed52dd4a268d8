import { z } from "zod";
import { db, type Tx } from "#lib/db.ts";
import type { AiProvider } from "#lib/env.ts";
import type { RawRemote } from "#lib/checks/results/raw-checks.ts";

/** Longer than the round of background work in which a post is asked about. */
const LEASE = "5 minutes";
/** Until the next attempt, by the number of attempts made. */
const DELAYS = ["1 minute", "5 minutes", "30 minutes", "2 hours", "12 hours"];
export const MAX_ATTEMPTS = DELAYS.length + 1;

const FAILURES = 5;
const PAUSE = "10 minutes";

export interface Claim {
  post_id: number;
  /** Ends the claim when it has passed; identifies it until then. */
  lease: Date;
  /** With this one. */
  attempts: number;
}

/** A post waits, and one of the providers may be asked. */
export async function anyPostDue(providers: readonly AiProvider[], dailyLimit: number): Promise<boolean> {
  if (providers.length === 0) return false;
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM post_check
     WHERE remote_state = 'waiting' AND remote_due_at <= now()
       AND (SELECT count(*) FROM check_provider
             WHERE name = ANY (${[...providers]}::text[])
               AND (paused_until > now() OR (day = (now() AT TIME ZONE 'UTC')::date AND calls >= ${dailyLimit}))
           ) < ${providers.length}
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
  question: z.string(),
  question_hash: z.string(),
  key: z.string(),
  may_be_sent: z.boolean(),
  /** Names of checks that have a result, or failed for good. */
  answered: z.array(z.string()),
});
export type RemotePost = z.infer<typeof RemotePost>;

/** The post's current version; results about an earlier one do not count. */
export async function readPost({ post_id }: Claim): Promise<RemotePost | null> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT p.plain_text, p.spoiler_text, p.language, coalesce(s.hashtag, p.stream_hashtag) AS hashtag,
           array(SELECT m ->> 'description' FROM jsonb_array_elements(p.media) m
                  WHERE m ->> 'description' <> '') AS descriptions,
           coalesce(s.check_question, '') AS question, md5(coalesce(s.check_question, '')) AS question_hash,
           v.key, may_be_sent(p.id) AS may_be_sent,
           array(SELECT jsonb_object_keys(present_remote(c.remote, c.remote_key, v.key, s.check_question))) AS answered
      FROM post p JOIN post_check c ON c.post_id = p.id LEFT JOIN stream s ON s.id = p.stream_id,
           LATERAL remote_key(p.plain_text, p.spoiler_text, p.media) AS v (key)
     WHERE p.id = ${post_id}`;
  return rows[0] === undefined ? null : RemotePost.parse(rows[0]);
}

/** Nothing about it changed since `readPost`, and it may still be sent. */
export async function isUnchanged({ post_id }: Claim, { key, question_hash }: RemotePost): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM post p LEFT JOIN stream s ON s.id = p.stream_id
     WHERE p.id = ${post_id} AND may_be_sent(p.id)
       AND remote_key(p.plain_text, p.spoiler_text, p.media) = ${key}
       AND md5(coalesce(s.check_question, '')) = ${question_hash}`;
  return rows.length > 0;
}

/**
 * The claim continues.
 *
 * @returns false when the claim has ended or the post or its question changed
 */
export async function storeResult(
  { post_id, lease }: Claim,
  { key, question_hash }: RemotePost,
  name: string,
  result: RawRemote,
): Promise<boolean> {
  const results = JSON.stringify({ [name]: result });
  const written = await db.$executeRaw`
    UPDATE post_check c
       SET remote = present_remote(c.remote, c.remote_key, ${key}, s.check_question) || ${results}::jsonb,
           remote_key = ${key}, updated_at = now()
      FROM post p LEFT JOIN stream s ON s.id = p.stream_id
     WHERE c.post_id = ${post_id} AND p.id = c.post_id AND p.erased_at IS NULL AND c.remote_lease_until = ${lease}
       AND remote_key(p.plain_text, p.spoiler_text, p.media) = ${key}
       AND md5(coalesce(s.check_question, '')) = ${question_hash}`;
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

/**
 * Counts a call. The day is that of UTC.
 *
 * @returns null when the call may be made, else the time of the next one
 */
export async function takeCall(provider: AiProvider, dailyLimit: number): Promise<{ until: Date } | null> {
  const taken = await db.$queryRaw<unknown[]>`
    INSERT INTO check_provider AS c (name, calls) VALUES (${provider}, 1)
    ON CONFLICT (name) DO UPDATE
      SET calls = CASE WHEN c.day = excluded.day THEN c.calls + 1 ELSE 1 END, day = excluded.day, updated_at = now()
      WHERE (c.paused_until IS NULL OR c.paused_until <= now()) AND (c.day <> excluded.day OR c.calls < ${dailyLimit})
    RETURNING 1`;
  if (taken.length > 0) return null;
  const rows = await db.$queryRaw<{ paused_until: Date | null; tomorrow: Date }[]>`
    SELECT CASE WHEN paused_until > now() THEN paused_until END AS paused_until,
           (date_trunc('day', now() AT TIME ZONE 'UTC') + interval '1 day') AT TIME ZONE 'UTC' AS tomorrow
      FROM check_provider WHERE name = ${provider}`;
  const { paused_until = null, tomorrow = new Date() } = rows[0] ?? {};
  return { until: paused_until ?? tomorrow };
}

/** @param until the provider asked to wait */
export async function noteFailure(
  provider: AiProvider,
  sentence: string,
  until: Date | null,
): Promise<{ paused_until: Date | null }> {
  const rows = await db.$queryRaw<{ paused_until: Date | null }[]>`
    INSERT INTO check_provider AS c (name, failures, last_error, failed_at, paused_until)
    VALUES (${provider}, 1, ${sentence}, now(), ${until}::timestamptz)
    ON CONFLICT (name) DO UPDATE
      SET failures = c.failures + 1, last_error = excluded.last_error, failed_at = now(), updated_at = now(),
          paused_until = greatest(excluded.paused_until,
            CASE WHEN c.failures + 1 >= ${FAILURES} THEN now() + ${PAUSE}::interval ELSE c.paused_until END)
    RETURNING paused_until`;
  return rows[0] ?? { paused_until: null };
}

export async function noteSuccess(provider: AiProvider): Promise<void> {
  await db.$executeRaw`
    UPDATE check_provider SET failures = 0, updated_at = now()
     WHERE name = ${provider} AND failures > 0`;
}

export interface ProviderRow {
  name: string;
  calls_today: number;
  paused_until: Date | null;
  last_error: string | null;
  failed_at: Date | null;
}

export async function providerRows(): Promise<ProviderRow[]> {
  return db.$queryRaw<ProviderRow[]>`
    SELECT name, CASE WHEN day = (now() AT TIME ZONE 'UTC')::date THEN calls ELSE 0 END AS calls_today,
           CASE WHEN paused_until > now() THEN paused_until END AS paused_until, last_error, failed_at
      FROM check_provider`;
}

export async function countWaiting(): Promise<number> {
  return db.post_check.count({ where: { remote_state: "waiting" } });
}

/** Has the question asked about the newest unreviewed posts of a stream that were checked. */
export async function queueQuestion(tx: Tx, streamId: number, limit: number): Promise<void> {
  await tx.$executeRaw`
    SELECT queue_remote(array(SELECT id FROM post
                               WHERE stream_id = ${streamId} AND approved IS NULL AND erased_at IS NULL
                               ORDER BY created_at DESC, id DESC LIMIT ${limit}),
                        true, false)`;
}
