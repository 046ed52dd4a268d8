import { db } from "#lib/base/db.ts";

export interface SourceRow {
  id: number;
  uri: string;
  url: string | null;
  uri_host: string;
  author_username: string;
  /** Of the author's account. */
  instance: string;
  /** The uri was derived from the url: its server may name another one. */
  is_derived: boolean;
  /** Servers that showed it, with its id there, latest first. */
  seen: { host: string; id: string }[];
}

/** Checks of one host in one batch, so that no host delays the others. */
const PER_HOST = 5;
/** Due checks among which a batch is chosen. */
const WINDOW = 500;

export async function anyCheckDue(): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`SELECT 1 FROM source_check WHERE due_at <= now() LIMIT 1`;
  return rows.length > 0;
}

/**
 * Concurrent calls get different posts. A claim ends after five minutes. Reserved posts are put off: they cannot
 * be changed.
 */
export async function claimSources(limit: number): Promise<SourceRow[]> {
  const claimed = await db.$queryRaw<{ post_id: number; checkable: boolean }[]>`
    WITH due AS MATERIALIZED (
      SELECT post_id, host, due_at FROM source_check WHERE due_at <= now() ORDER BY due_at LIMIT ${WINDOW}
    ), fair AS (
      SELECT post_id FROM (
        SELECT post_id, due_at, row_number() OVER (PARTITION BY host ORDER BY due_at, post_id) AS place FROM due) d
       WHERE place <= ${PER_HOST} ORDER BY place, due_at, post_id LIMIT ${limit}
    ), free AS (
      -- due_at is compared again under the lock: another process may have claimed the row since.
      SELECT c.post_id, coalesce(q.state, 'pending') = 'pending' AS checkable
        FROM source_check c JOIN fair USING (post_id) LEFT JOIN queue_entry q ON q.post_id = c.post_id
       WHERE c.due_at <= now() FOR UPDATE OF c SKIP LOCKED
    )
    UPDATE source_check c SET due_at = now() + CASE WHEN f.checkable THEN 5 ELSE 10 END * interval '1 minute'
      FROM free f WHERE c.post_id = f.post_id
    RETURNING c.post_id, f.checkable`;
  const ids = claimed.filter(({ checkable }) => checkable).map(({ post_id }) => post_id);
  if (ids.length === 0) return [];
  const rows = await db.$queryRaw<(Omit<SourceRow, "seen"> & { seen: SourceRow["seen"] | null })[]>`
    SELECT p.id, p.uri, p.url, uri_host(p.uri) AS uri_host, p.author_username, p.instance, sightings.seen, p.uri_derived AS is_derived
      FROM post p LEFT JOIN LATERAL (
        SELECT json_agg(json_build_object('host', g.instance, 'id', g.remote_id)) AS seen FROM (
          SELECT s.instance, g.remote_id FROM sighting g JOIN stream s ON s.id = g.stream_id
           WHERE g.post_id = p.id AND g.remote_id IS NOT NULL
           ORDER BY s.instance = uri_host(p.uri) DESC, g.seen_at DESC LIMIT 4) g) sightings ON true
     WHERE p.id = ANY (${ids}::int[]) ORDER BY p.id`;
  return rows.map((row) => ({ ...row, seen: row.seen ?? [] }));
}

/** All due and claimed checks of a host that may not be asked before `until`. */
export async function putOffHost(host: string, until: Date): Promise<void> {
  await db.$executeRaw`
    UPDATE source_check SET due_at = greatest(${until}::timestamptz, now() + interval '1 second')
     WHERE post_id IN (SELECT post_id FROM source_check
                        WHERE host = ${host} AND due_at < greatest(${until}::timestamptz, now() + interval '5 minutes')
                          FOR UPDATE SKIP LOCKED)`;
}

/** The post of a host that it has confirmed last, without `id`. */
export async function otherPostOf(
  host: string,
  id: number,
): Promise<{ uri: string; url: string | null } | null> {
  const rows = await db.$queryRaw<{ uri: string; url: string | null }[]>`
    SELECT uri, url FROM post
     WHERE uri_host(uri) = ${host} AND id <> ${id} AND erased_at IS NULL AND source_missing_at IS NULL
     ORDER BY confirmed_at DESC NULLS LAST, id DESC LIMIT 1`;
  return rows[0] ?? null;
}
