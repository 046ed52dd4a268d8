import { db, Prisma } from "#lib/base/db.ts";
import { isExpired, isReadyOnReturn } from "./expired.ts";
import { heldBy, heldReasons, type HeldReason } from "./holds.ts";
import type { HourRow } from "./pace.ts";

export interface ListedRow {
  post_id: number;
  author_account: string;
  content_snippet: string;
  emojis: unknown;
  /** Hashtag of its stream; "" without one. */
  stream: string;
  has_attachments: boolean;
  approved_at: Date;
  /** Nacked and timed-out deliveries. */
  nacks: number;
  timeouts: number;
  /** Nacks and time-outs in a row. */
  refusals: number;
  /** The post is not offered before this time; null when it is not kept back. */
  not_before: Date | null;
  /** When the reservation ends; in the past for a post that the next request returns. */
  reserved_until: Date | null;
}

const listedColumns = Prisma.sql`
  q.post_id, p.author_account, p.snippet AS content_snippet, p.emojis, coalesce(p.stream_hashtag, '') AS stream,
  p.media_count > 0 AS has_attachments, q.approved_at, q.nacks, q.timeouts, q.refusals, q.not_before,
  q.lease_expires_at AS reserved_until`;

/** The posts that come next, in order. Expired reservations count as returned. */
export function upcomingRows(limit: number): Promise<ListedRow[]> {
  return db.$queryRaw<ListedRow[]>`
    SELECT ${listedColumns}
      FROM ((SELECT q.post_id FROM queue_entry q WHERE q.state = 'pending' AND q.holds = 0 AND q.not_before IS NULL
              ORDER BY q.approved_at, q.post_id LIMIT ${limit})
            UNION ALL
            (SELECT e.post_id FROM queue_entry e
              WHERE ${isReadyOnReturn} ORDER BY e.approved_at, e.post_id LIMIT ${limit})) next
      JOIN queue_entry q ON q.post_id = next.post_id JOIN post p ON p.id = q.post_id
     ORDER BY q.approved_at, q.post_id LIMIT ${limit}`;
}

/** Posts that are kept back after refusals, the next one first. */
export function keptBackRows(limit: number): Promise<ListedRow[]> {
  return db.$queryRaw<ListedRow[]>`
    SELECT ${listedColumns}
      FROM queue_entry q JOIN post p ON p.id = q.post_id
     WHERE q.not_before IS NOT NULL ORDER BY q.not_before, q.post_id LIMIT ${limit}`;
}

/** Deliveries and approvals by UTC hour: the current hour and the `hours` − 1 before it, without empty ones. */
export function hourRows(hours: number): Promise<HourRow[]> {
  return db.$queryRaw<HourRow[]>`
    SELECT at AT TIME ZONE 'UTC' AS hour, coalesce(sum(n) FILTER (WHERE metric = 'delivered'), 0)::float8 AS deliveries,
           coalesce(sum(n) FILTER (WHERE metric = 'approved'), 0)::float8 AS approvals
      FROM tally_now('{hour}')
     WHERE metric IN ('delivered', 'approved')
       AND at > now() AT TIME ZONE 'UTC' - ${hours}::int * interval '1 hour'
     GROUP BY at HAVING bool_or(n <> 0) ORDER BY at`;
}

export interface HeldCounts {
  /** Posts by their first hold, in order of precedence. */
  held: { reason: HeldReason; count: number }[];
  /** Posts that nothing holds, but that wait after refusals. */
  kept_back: number;
  /** Expired reservations, and those of them whose post the next request can get. */
  expired: number;
  ready_on_return: number;
}

/** Reads only held, kept back and expired entries. */
export async function heldCounts(): Promise<HeldCounts> {
  const [counts, kept, expired] = await Promise.all([
    db.$queryRaw<{ holds: number; n: number }[]>`
      SELECT holds, count(*)::int AS n FROM queue_entry WHERE state = 'pending' AND holds > 0 GROUP BY holds`,
    db.$queryRaw<{ n: number }[]>`
      SELECT count(*)::int AS n FROM queue_entry WHERE not_before IS NOT NULL AND state = 'pending' AND holds = 0`,
    db.$queryRaw<[Pick<HeldCounts, "expired" | "ready_on_return">]>`
      SELECT count(*)::int AS expired, (count(*) FILTER (WHERE ${isReadyOnReturn}))::int AS ready_on_return
        FROM queue_entry e WHERE ${isExpired}`,
  ]);
  const held = heldReasons.flatMap((reason) => {
    const count = counts.reduce((sum, { holds, n }) => sum + (heldBy({ holds }) === reason ? n : 0), 0);
    return count === 0 ? [] : [{ reason, count }];
  });
  return { held, kept_back: kept[0]?.n ?? 0, ...expired[0] };
}
