import { now } from "#lib/clock.ts";
import { env } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { activeStreams, claimStream, makeAllDue } from "./fetch-sql.ts";
import { FETCH_BUDGET, runFetch } from "./run-fetch.ts";
import { LeaseLost } from "./store-page.ts";
import type { FetchAllResult } from "./schema.ts";

/** Hosts asked at the same moment; to one host there is one request at a time anyway. */
const HOSTS_AT_ONCE = 4;

type Item = FetchAllResult["streams"][number];

/**
 * Fetches all active streams: the hosts side by side, the streams of one host one after the other. Waits at most
 * 25 s. First of all every stream is made due, so what is not finished by then (or when this process dies) is
 * taken by the worker or the next tick; `pending` says how many.
 *
 * @param options.wait false: only make them due
 */
export async function fetchAll(options: { wait: boolean }): Promise<FetchAllResult> {
  await makeAllDue();
  const streams = await activeStreams();
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

/** Null when another process has the stream, or it is gone. */
async function fetchOne(id: number, deadline: Date): Promise<Item | null> {
  const stream = await claimStream(id);
  if (stream === null) return null;
  try {
    const { figures, failure } = await runFetch(stream, { limit: env().MAX_POSTS_PER_FETCH, deadline });
    return failure === null ? figures : { ...figures, error: failure.message };
  } catch (error) {
    // One stream that breaks must not cost the others their turn.
    if (!(error instanceof LeaseLost)) log.error({ err: error, stream: id }, "a fetch broke off");
    return null;
  }
}
