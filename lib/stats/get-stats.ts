import { toIso } from "#lib/clock.ts";
import { percent } from "./rate.ts";
import type { Stats } from "./schema.ts";
import { compactCountersWhenMany, totalsRow } from "./sql.ts";

/** The figures of the whole service: what is stored now, and what ever happened. */
export async function getStats(): Promise<Stats> {
  await compactCountersWhenMany();
  const now = await totalsRow();
  return {
    total_posts: now.posts,
    approved_posts: now.approved,
    rejected_posts: now.rejected,
    unreviewed_posts: now.unreviewed,
    total_streams: now.streams,
    active_streams: now.active_streams,
    queue_status: {
      pending: now.pending,
      reserved: now.reserved,
      delivered: now.delivered,
      error: now.error,
    },
    approval_rate: percent(now.approved, now.posts),
    last_fetch: toIso(now.last_fetch),
    created_at: toIso(now.created_at),
    all_time: {
      fetched: now.all_fetched,
      approved: now.all_approved,
      rejected: now.all_rejected,
      auto_rejected: now.all_auto_rejected,
      delivered: now.all_delivered,
      errors: now.all_errors,
      trimmed: now.all_trimmed,
    },
  };
}
