import { now } from "#lib/clock.ts";
import { ApiError } from "#lib/errors.ts";
import { claimStream, streamState } from "./fetch-sql.ts";
import { remoteError } from "./remote-error.ts";
import { FETCH_BUDGET, runFetch } from "./run-fetch.ts";
import { LeaseLost } from "./store-page.ts";
import type { FetchResult } from "./schema.ts";

/**
 * Fetches one stream now, as the schedule does it. Answers after 25 s at the latest with what is stored by then.
 * Nothing in it depends on whether the client still listens.
 *
 * @param options.limit posts not known before, at most
 * @throws ApiError `stream_not_found`, `stream_inactive`, `stream_busy`; `remote_waiting` with `Retry-After` when
 *   the host must not be asked now; `remote_timeout`, `remote_failed` with one sentence about what it did
 */
export async function fetchStream(id: number, options: { limit: number }): Promise<FetchResult> {
  const stream = await claimStream(id);
  if (stream === null) throw await refusal(id);
  try {
    const { figures, failure } = await runFetch(stream, {
      limit: options.limit,
      deadline: new Date(now().getTime() + FETCH_BUDGET),
    });
    if (failure !== null) throw remoteError(failure);
    return figures;
  } catch (error) {
    if (error instanceof LeaseLost) throw await refusal(id);
    throw error;
  }
}

async function refusal(id: number): Promise<ApiError> {
  const state = await streamState(id);
  if (state === null) return new ApiError("stream_not_found", { id });
  return new ApiError(state.active ? "stream_busy" : "stream_inactive", { id });
}
