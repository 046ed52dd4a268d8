import { streamsOf, type Actor } from "#lib/auth/principal.ts";
import { ApiError } from "#lib/errors.ts";

/** Other streams than its own do not exist for a bound key that would change them. @throws `stream_not_found` */
export function requireReach(actor: Actor, id: number): void {
  const streams = streamsOf(actor);
  if (streams !== null && !streams.includes(id)) throw new ApiError("stream_not_found", { id });
}
