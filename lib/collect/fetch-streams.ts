import { now } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { ApiError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { apiErrorOf } from "#lib/fediverse/remote-error.ts";
import { claimDueStream, claimStream } from "./fetch-sql.ts";
import { FETCH_BUDGET, runFetch, type FetchOptions } from "./run-fetch.ts";
import type { FetchAllResult, FetchResult } from "./stream-schema.ts";

/**
 * Fetches a stream. Returns within 25 s. Continues when the client disconnects.
 *
 * @param options.limit maximum of new posts
 * @throws ApiError `stream_not_found`, `stream_inactive`, `stream_busy`; `remote_waiting` with `Retry-After`
 *   when the host must not be asked now; `remote_timeout`, `remote_failed` with one sentence
 */
export async function fetchStream(id: number, { limit }: { limit: number }): Promise<FetchResult> {
  const run = await fetchClaimed(id, limit, new Date(now().getTime() + FETCH_BUDGET));
  if (run === null) throw await refusal(id);
  if (run.failure !== null) throw apiErrorOf(run.failure);
  return run.figures;
}

/** Fetches the stream; null when it may not be fetched now. */
async function fetchClaimed(id: number, limit: number, deadline: Date) {
  const stream = await claimStream(id);
  return stream && runFetch(stream, { limit, deadline });
}

async function refusal(id: number): Promise<ApiError> {
  const stream = await db.stream.findUnique({ where: { id }, select: { active: true } });
  if (stream === null) return new ApiError("stream_not_found", { id });
  return new ApiError(stream.active ? "stream_busy" : "stream_inactive", { id });
}

/**
 * Fetches the next due stream. Errors are stored with the stream.
 *
 * @returns id of the stream; null when none is due on a free host
 * @throws when the database is down
 */
export async function fetchDueStream(options: FetchOptions): Promise<number | null> {
  const stream = await claimDueStream();
  if (stream === null) return null;
  const deadline = new Date(Math.min(options.deadline.getTime(), now().getTime() + FETCH_BUDGET));
  await runFetch(stream, { ...options, deadline });
  return stream.id;
}

/** The governor allows one request at a time to each host. */
const HOSTS_AT_ONCE = 4;

type Item = FetchAllResult["streams"][number];

/**
 * Makes every stream due and fetches as many as 25 s allow. The worker fetches the others, which are `pending`.
 *
 * @param options.wait false: only make them due
 */
export async function fetchAll(options: { wait: boolean }): Promise<FetchAllResult> {
  await db.$executeRaw`
    UPDATE stream SET next_scheduled_fetch = now()
     WHERE active AND (next_scheduled_fetch IS NULL OR next_scheduled_fetch > now())`;
  const streams = await db.stream.findMany({
    where: { active: true },
    orderBy: [{ instance: "asc" }, { id: "asc" }],
    select: { id: true, instance: true },
  });
  const done: Item[] = [];
  if (options.wait) {
    const deadline = new Date(now().getTime() + FETCH_BUDGET);
    const hosts = [...Map.groupBy(streams, (stream) => stream.instance).values()];
    const fetchHosts = async () => {
      for (let host = hosts.shift(); host !== undefined; host = hosts.shift()) {
        for (const { id } of host) {
          if (now() >= deadline) return;
          const item = await fetchOne(id, deadline);
          if (item !== null) done.push(item);
        }
      }
    };
    await Promise.all(Array.from({ length: HOSTS_AT_ONCE }, fetchHosts));
  }
  done.sort((a, b) => a.stream_id - b.stream_id);
  return {
    streams: done,
    new: done.reduce((sum, item) => sum + item.new, 0),
    errors: done.filter((item) => item.error !== undefined).length,
    pending: streams.length - done.length,
  };
}

async function fetchOne(id: number, deadline: Date): Promise<Item | null> {
  try {
    const run = await fetchClaimed(id, env().MAX_POSTS_PER_FETCH, deadline);
    return run?.failure ? { ...run.figures, error: run.failure.message } : (run?.figures ?? null);
  } catch (error) {
    // One failure must not stop the other streams.
    log.error({ err: error, stream: id }, "fetch failed");
    return null;
  }
}
