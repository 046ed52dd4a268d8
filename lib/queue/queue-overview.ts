import { toIso } from "#lib/base/clock.ts";
import { shortenTally } from "#lib/base/tally.ts";
import { pickEmojis } from "#lib/fediverse/emojis.ts";
import { forecastQueue } from "./forecast-queue.ts";
import { countHeldPosts } from "./held-posts.ts";
import type { ListedPost, QueueOverview, QueueSupply } from "./overview-schema.ts";
import { keptBackRows, queueFigures, upcomingRows, type ListedRow } from "./overview-sql.ts";

const LISTED = 5;
const REFUSED = 5;

/** Data of the queue page. */
export async function queueOverview(): Promise<QueueOverview> {
  const [supply, upcoming, keptBack] = await Promise.all([
    queueSupply(),
    upcomingRows(LISTED),
    keptBackRows(REFUSED),
  ]);
  return { ...supply, upcoming: upcoming.map(listed), refused: keptBack.map(listed) };
}

/** The figures of the queue page. */
export async function queueSupply(): Promise<QueueSupply> {
  await shortenTally();
  const [figures, heldPosts] = await Promise.all([queueFigures(), countHeldPosts()]);
  // From the counters: counting a million eligible posts would be slow.
  const heldCount = heldPosts.held.reduce((sum, { count }) => sum + count, 0);
  const { held, kept_back, expired, ready_on_return } = heldPosts;
  const available = Math.max(0, figures.pending - heldCount - kept_back) + ready_on_return;
  const runway = await forecastQueue(heldPosts);
  return {
    counts: {
      pending: figures.pending + expired,
      // The queries have different snapshots.
      reserved: Math.max(0, figures.reserved - expired),
      delivered: figures.delivered,
      error: figures.error,
    },
    all_time: {
      delivered: figures.deliveries_ever,
      errors: figures.errors_ever,
      trimmed: figures.trimmed_ever,
      nacks: figures.nacks_ever,
      timeouts: figures.timeouts_ever + expired,
    },
    available,
    held,
    kept_back,
    deliveries_per_day: runway.deliveries_per_day,
    pace_days: runway.pace_days,
    runway_days: runway.days,
    runs_dry_at: runway.runs_dry_at,
  };
}

function listed(row: ListedRow): ListedPost {
  return {
    post_id: row.post_id,
    author_account: row.author_account,
    content_snippet: row.snippet,
    emojis: pickEmojis(row.emojis, [row.snippet]),
    stream: row.stream_hashtag ?? "",
    has_attachments: row.has_attachments,
    approved_at: toIso(row.approved_at),
    nacks: row.nacks,
    timeouts: row.timeouts,
    refusals: row.refusals,
    not_before: toIso(row.not_before),
    reserved_until: toIso(row.lease_expires_at),
  };
}
