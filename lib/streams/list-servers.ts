import { db } from "#lib/db.ts";
import type { ServerList } from "./schema.ts";

type ServerRow = ServerList["items"][number];

/** Servers of streams, and those with a token; in order of name. */
export async function listServers(): Promise<ServerList> {
  const items = await db.$queryRaw<ServerRow[]>`
    WITH streamed AS (
      SELECT instance, count(*)::int AS streams,
             -- A missing token first: setting one solves both.
             min(last_error_kind) FILTER (WHERE last_error_kind IN ('needs_token', 'token_refused')) AS token_problem
        FROM stream GROUP BY instance
    )
    SELECT coalesce(s.instance, h.host) AS host, h.software, nullif(h.domain, h.host) AS domain, h.token IS NOT NULL AS has_token,
           s.token_problem, coalesce(s.streams, 0) AS streams
      FROM streamed s
      FULL JOIN (SELECT * FROM host_state WHERE token IS NOT NULL OR host IN (SELECT instance FROM streamed)) h
        ON h.host = s.instance
     ORDER BY 1`;
  return { items };
}
