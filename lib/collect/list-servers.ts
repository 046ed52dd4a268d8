import { db } from "#lib/base/db.ts";
import { decryptToken } from "#lib/fediverse/hosts.ts";

export interface Server {
  host: string;
  /** Where its accounts are, if not at the host. */
  domain: string | null;
  software: string | null;
  streams: number;
  has_token: boolean;
  token_problem: "needs_token" | "token_refused" | "unreadable" | null;
}
type ServerRow = Server & { token: Uint8Array | null };

/** Servers of streams, and those with a token; in order of name. */
export async function listServers(): Promise<Server[]> {
  const rows = await db.$queryRaw<ServerRow[]>`
    WITH streamed AS (
      SELECT instance, count(*)::int AS streams,
             -- A missing token first: setting one solves both.
             min(last_error_kind) FILTER (WHERE last_error_kind IN ('needs_token', 'token_refused')) AS token_problem
        FROM stream GROUP BY instance
    )
    SELECT coalesce(s.instance, h.host) AS host, h.software, nullif(h.domain, h.host) AS domain, h.token IS NOT NULL AS has_token, h.token,
           s.token_problem, coalesce(s.streams, 0) AS streams
      FROM streamed s
      FULL JOIN (SELECT * FROM host_state WHERE token IS NOT NULL OR host IN (SELECT instance FROM streamed)) h
        ON h.host = s.instance
     ORDER BY 1`;
  // As after a restore without the former ENCRYPTION_KEY.
  const isUnreadable = ({ host, token }: ServerRow) => token !== null && decryptToken(host, token) === null;
  return rows.map((row) => {
    const { token: _sealed, ...item } = row;
    return isUnreadable(row) ? { ...item, token_problem: "unreadable" as const } : item;
  });
}
