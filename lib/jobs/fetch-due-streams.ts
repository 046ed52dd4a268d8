import { env } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { fetchDueStream, isAnyStreamDue } from "#lib/streams/fetch-streams.ts";
import type { Job } from "./job.ts";

/** Streams fetched side by side; each host is asked one thing at a time whatever this says. */
const AT_ONCE = 4;
/** With less time left a fetch is not begun. */
const LEAST_TIME = 3_000;

export const fetchDueStreams: Job = {
  name: "fetch due streams",
  every: 1_000,
  isDue: isAnyStreamDue,
  async run({ deadline, signal }) {
    let fetched = 0;
    const work = async () => {
      while (!signal?.aborted && deadline.getTime() - Date.now() > LEAST_TIME) {
        const stream = await fetchDueStream({ limit: env().MAX_POSTS_PER_FETCH, deadline, signal });
        if (stream === null) return;
        fetched++;
        log.debug({ stream }, "stream fetched");
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return { worked: fetched > 0 };
  },
};
