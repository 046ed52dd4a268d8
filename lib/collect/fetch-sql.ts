import { db, Prisma, type Tx } from "#lib/base/db.ts";
import type { RunFigures } from "./stream-schema.ts";
import type { StreamRow } from "./streams.ts";
import type { StreamCursor } from "./walk-timeline.ts";
import type { RemoteError } from "#lib/fediverse/remote-error.ts";

export type ClaimedStream = StreamRow & { fetch_lease: string };

/** Lease of a fetch, renewed with each page. Longer than any step: a wait of 10 s and a request of 15 s. */
const LEASE_SECONDS = 60;

async function claim(where: Prisma.Sql): Promise<ClaimedStream | null> {
  const rows = await db.$queryRaw<ClaimedStream[]>`
    UPDATE stream SET fetch_lease = gen_random_uuid(), fetch_lease_until = now() + ${LEASE_SECONDS} * interval '1 second'
     WHERE ${where} RETURNING *`;
  return rows[0] ?? null;
}

const isFree = Prisma.sql`(fetch_lease_until IS NULL OR fetch_lease_until < now())`;

/** Claims a stream. Null when it does not exist, is inactive or is being fetched. */
export function claimStream(id: number): Promise<ClaimedStream | null> {
  return claim(Prisma.sql`id = ${id} AND active AND ${isFree}`);
}

/**
 * Claims the stream that is overdue for longest, except on hosts in use. Concurrent calls get different streams. A stream that
 * is behind is ordered by its regular interval, so it never precedes one that is regularly due.
 */
export function claimDueStream(): Promise<ClaimedStream | null> {
  return claim(Prisma.sql`
    id = (SELECT s.id FROM stream s
           WHERE s.active AND s.next_scheduled_fetch <= now() AND ${isFree}
             AND NOT EXISTS (SELECT FROM stream o WHERE o.instance = s.instance AND o.fetch_lease_until >= now())
           ORDER BY greatest(s.next_scheduled_fetch, CASE WHEN s.behind_since IS NOT NULL THEN
                      s.last_check + s.fetch_interval_minutes * interval '1 minute' END), s.id
           LIMIT 1 FOR UPDATE SKIP LOCKED)`);
}

/** Keeps the lease until the transaction ends. False when it was lost. */
export async function holdLease(tx: Tx, stream: ClaimedStream): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM stream WHERE id = ${stream.id} AND fetch_lease = ${stream.fetch_lease}::uuid FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/** Error of a killed or crashed run. */
export const BROKE_OFF = "The fetch broke off.";

/** Starts the record of a run, and closes those of killed runs. Null when the lease was lost. */
export async function startRun(stream: ClaimedStream): Promise<bigint | null> {
  const rows = await db.$queryRaw<{ id: bigint }[]>`
    WITH mine AS MATERIALIZED (
      SELECT id FROM stream WHERE id = ${stream.id} AND fetch_lease = ${stream.fetch_lease}::uuid FOR KEY SHARE
    ), killed AS (
      UPDATE fetch_run SET error = ${BROKE_OFF}
       WHERE stream_id = (SELECT id FROM mine) AND finished_at IS NULL AND error IS NULL
    )
    INSERT INTO fetch_run (stream_id) SELECT id FROM mine RETURNING id`;
  return rows[0]?.id ?? null;
}

export interface FetchRunRow extends RunFigures {
  id: bigint;
  started_at: Date;
  finished_at: Date | null;
  error: string | null;
}

/** Latest runs of a stream. An open run without a lease was killed. */
export function fetchRunRows(streamId: number, limit: number): Promise<FetchRunRow[]> {
  return db.$queryRaw<FetchRunRow[]>`
    SELECT r.id, r.started_at, r.finished_at, r.seen, r.new, r.duplicates, r.updated, r.auto_rejected, r.dropped,
           r.pages, CASE WHEN r.finished_at IS NULL AND r.error IS NULL AND s.fetch_lease_until >= now() IS NOT TRUE
                         THEN ${BROKE_OFF} ELSE r.error END AS error
      FROM fetch_run r JOIN stream s ON s.id = r.stream_id
     WHERE r.stream_id = ${streamId} ORDER BY r.id DESC LIMIT ${limit}`;
}

/** Writes the figures of a run after each page, so that a killed run has them, and at its end. */
export async function writeProgress(
  tx: Tx,
  runId: bigint,
  figures: RunFigures,
  at: { stream: ClaimedStream; cursor: StreamCursor } | { error: string | null },
): Promise<void> {
  const isEnd = "error" in at;
  await tx.$executeRaw`
    UPDATE fetch_run SET seen = ${figures.seen}, new = ${figures.new}, duplicates = ${figures.duplicates},
      updated = ${figures.updated}, auto_rejected = ${figures.auto_rejected},
      dropped = ${JSON.stringify(figures.dropped)}::jsonb, pages = ${figures.pages},
      error = ${isEnd ? at.error : null}, finished_at = CASE WHEN ${isEnd}::boolean THEN now() END
     WHERE id = ${runId}`;
  if (isEnd) return;
  await tx.$executeRaw`
    UPDATE stream SET cursor = ${JSON.stringify(at.cursor)}::jsonb,
                      fetch_lease_until = now() + ${LEASE_SECONDS} * interval '1 second'
     WHERE id = ${at.stream.id}`;
}

/** Interval of a stream that is behind. The 2 to 13 pages of such a run are less than a tenth of Mastodon's limit. */
export const CATCH_UP_MINUTES = 1;

/**
 * Ends a run and plans the next fetch: after the interval or CATCH_UP_MINUTES, ± 5 % so that streams do not synchronise.
 * After errors it follows in 5, 10, 20 … minutes, at most a day.
 */
export async function endRun(
  tx: Tx,
  stream: ClaimedStream,
  end: {
    /** One sentence; null after success. */
    error: string | null;
    /** Failure of the other server, or the reason why it may not be asked now. */
    failure: RemoteError | null;
    /** Whether posts remain beyond the limit of the run. */
    behind: boolean;
    /** Time that the host stated. */
    retry_at: Date | null;
    platform: string | null;
  },
): Promise<void> {
  const kind = end.failure?.kind ?? null;
  const waited = kind === "wait";
  await tx.$executeRaw`
    UPDATE stream s SET
      fetch_lease = NULL, fetch_lease_until = NULL, last_error = ${end.error}, last_error_kind = ${kind},
      last_check = CASE WHEN ${waited}::boolean THEN s.last_check ELSE now() END,
      last_fetch = CASE WHEN ${end.error}::text IS NULL THEN now() ELSE s.last_fetch END,
      behind_since = CASE WHEN ${end.error}::text IS NOT NULL THEN s.behind_since
                          WHEN ${end.behind}::boolean THEN coalesce(s.behind_since, now()) END,
      error_count = n.errors,
      failing_since = CASE WHEN ${end.error}::text IS NULL THEN NULL
                           WHEN ${waited}::boolean THEN s.failing_since
                           ELSE coalesce(s.failing_since, now()) END,
      platform = coalesce(${end.platform}, s.platform),
      next_scheduled_fetch = CASE WHEN s.active AND s.enable_scheduling THEN greatest(
        ${end.retry_at}::timestamptz + random() * interval '30 seconds',
        now() + (0.95 + 0.1 * random()) * interval '1 minute'
          * CASE WHEN ${end.error}::text IS NULL AND ${end.behind}::boolean
                   THEN least(s.fetch_interval_minutes, ${CATCH_UP_MINUTES}::int)
                 WHEN ${end.error}::text IS NULL THEN s.fetch_interval_minutes
                 WHEN ${waited}::boolean THEN 1
                 ELSE least(1440, 5 * power(2, least(n.errors - 1, 20))) END) END
      FROM (SELECT id, CASE WHEN ${end.error}::text IS NULL THEN 0
                            WHEN ${waited}::boolean THEN error_count
                            ELSE error_count + 1 END AS errors FROM stream) n
     WHERE n.id = s.id AND s.id = ${stream.id} AND s.fetch_lease = ${stream.fetch_lease}::uuid`;
}
