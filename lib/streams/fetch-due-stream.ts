import { now } from "#lib/clock.ts";
import { log } from "#lib/log.ts";
import { claimDueStream } from "./fetch-sql.ts";
import { FETCH_BUDGET, runFetch, type FetchOptions } from "./run-fetch.ts";
import { LeaseLost } from "./store-page.ts";

/**
 * Claims the stream that has been due for longest and fetches it, as a person's click does it. What goes wrong
 * stands on the stream, which is due again later.
 *
 * @returns its id; null when none is due or all that are belong to hosts being asked
 * @throws when the database is away
 */
export async function fetchDueStream(options: FetchOptions): Promise<number | null> {
  const stream = await claimDueStream();
  if (stream === null) return null;
  const deadline = new Date(Math.min(options.deadline.getTime(), now().getTime() + FETCH_BUDGET));
  try {
    await runFetch(stream, { ...options, deadline });
  } catch (error) {
    if (error instanceof LeaseLost)
      log.info({ stream: stream.id }, "the stream was taken away while it was fetched");
    else throw error;
  }
  return stream.id;
}
