import { db } from "#lib/db.ts";

export interface SourceRow {
  id: number;
  uri: string;
  url: string | null;
  /** Its id on its own server, if seen there. */
  home_id: string | null;
}

/** Hours until a pending post is checked again. */
const LOOK_HOURS = 6;

/**
 * In order: copies that differ; missing sources after ten minutes; unverifiable ones every hour; the head of
 * the queue; a random sample, for consumers that reserve at random. Each part reads a few index rows.
 * Concurrent calls get different posts.
 */
export function claimSources(limit: number): Promise<SourceRow[]> {
  return db.$queryRaw<SourceRow[]>`
    WITH wanted AS (
      (SELECT p.id, 1 AS rank FROM post p
        WHERE p.differs_since IS NOT NULL
          AND (p.source_checked_at IS NULL OR p.source_checked_at < p.differs_since
               OR p.source_checked_at < now() - ${LOOK_HOURS} * interval '1 hour')
        ORDER BY p.differs_since LIMIT 100)
      UNION ALL
      (SELECT p.id, 2 FROM post p
        WHERE p.source_missing_at < now() - interval '10 minutes' AND p.approved IS NOT FALSE
          AND (p.source_checked_at IS NULL OR p.source_checked_at < now() - interval '10 minutes')
        ORDER BY p.source_missing_at LIMIT 100)
      UNION ALL
      (SELECT u.post_id, 3 FROM (SELECT floor(random() * max(post_id)) AS start FROM queue_entry) r, LATERAL (
         (SELECT q.post_id FROM queue_entry q WHERE q.state = 'pending' AND q.holds & 4 <> 0 AND q.post_id >= r.start
           ORDER BY q.post_id LIMIT 50)
         UNION
         (SELECT q.post_id FROM queue_entry q WHERE q.state = 'pending' AND q.holds & 4 <> 0
           ORDER BY q.post_id LIMIT 50)) u)
      UNION ALL
      (SELECT h.post_id, 4 FROM (
         SELECT post_id FROM queue_entry WHERE state = 'pending' AND holds = 0 AND not_before IS NULL
          ORDER BY approved_at, post_id LIMIT 100) h)
      UNION ALL
      (SELECT s.post_id, 5 FROM (SELECT random() AS start) r, generate_series(0, 7) l, LATERAL (
         SELECT q.post_id FROM queue_entry q
          WHERE q.state = 'pending' AND q.holds = 0 AND q.not_before IS NULL AND q.missing = l AND q.random_key >= r.start
          ORDER BY q.random_key LIMIT 10) s)
    ), due AS (
      SELECT p.id, min(w.rank) AS rank, p.source_checked_at,
             coalesce(p.source_checked_at, p.fetched_at) AS last_look
        FROM wanted w JOIN post p ON p.id = w.id LEFT JOIN queue_entry q ON q.post_id = p.id
       -- Reserved, failed or delivered posts cannot be changed.
       WHERE coalesce(q.state, 'pending') = 'pending'
         AND (w.rank < 3 OR coalesce(p.source_checked_at, p.fetched_at)
                            < now() - CASE w.rank WHEN 3 THEN 1 ELSE ${LOOK_HOURS}::int END * interval '1 hour')
       GROUP BY p.id
       ORDER BY rank, last_look, p.id LIMIT ${limit}
    ), claimed AS (
      -- Compared again once the row is locked: another process may have claimed it since the list was made.
      SELECT p.id FROM post p JOIN due d ON d.id = p.id
       WHERE p.source_checked_at IS NOT DISTINCT FROM d.source_checked_at
         FOR NO KEY UPDATE OF p SKIP LOCKED
    )
    UPDATE post p SET source_checked_at = now() FROM claimed c WHERE p.id = c.id
    RETURNING p.id, p.uri, p.url,
      (SELECT g.remote_id FROM sighting g JOIN stream s ON s.id = g.stream_id
        WHERE g.post_id = p.id AND s.instance = split_part(split_part(p.uri, '/', 3), '@', 1) LIMIT 1) AS home_id`;
}

/** Due again in one hour instead of six. */
export async function putOffLook(ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await db.$executeRaw`
    UPDATE post SET source_checked_at = now() - ${LOOK_HOURS - 1} * interval '1 hour' WHERE id = ANY (${ids}::int[])`;
}
