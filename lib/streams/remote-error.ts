import { now } from "#lib/clock.ts";
import { ApiError } from "#lib/errors.ts";
import type { SourceFailure } from "#lib/fediverse/source-failure.ts";

/** Our answer to what another server did or failed to do: 502, 503 with `Retry-After`, or 504, with its sentence. */
export function remoteError(failure: SourceFailure): ApiError {
  const message = failure.message;
  if (failure.gateway_status === 504) return new ApiError("remote_timeout", { message });
  if (failure.gateway_status === 502) return new ApiError("remote_failed", { message });
  const wait = failure.retry_at === null ? 1 : (failure.retry_at.getTime() - now().getTime()) / 1000;
  const headers = { "Retry-After": String(Math.max(1, Math.ceil(wait))) };
  return new ApiError("remote_waiting", { message }, { headers });
}
