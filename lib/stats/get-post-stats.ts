import type { PostStats } from "./schema.ts";
import { compactCountersWhenMany, sourceRows, todayRow, totalsRow } from "./sql.ts";

const SOURCES = 20;

/** Posts by state, medium and host, and what happened in the last 24 hours. */
export async function getPostStats(): Promise<PostStats> {
  await compactCountersWhenMany();
  const [now, today, sources] = await Promise.all([totalsRow(), todayRow(), sourceRows(SOURCES)]);
  const shown = sources.reduce((sum, source) => sum + source.posts, 0);
  return {
    total_count: now.posts,
    status: { approved: now.approved, rejected: now.rejected, unreviewed: now.unreviewed },
    by_queue_status: {
      pending: now.pending,
      reserved: now.reserved,
      delivered: now.delivered,
      error: now.error,
    },
    with_media: now.with_media,
    without_media: now.posts - now.with_media,
    // The three queries may see different moments; a rest below nothing would be nonsense.
    by_source: {
      ...Object.fromEntries(sources.map(({ instance, posts }) => [instance, posts])),
      other: Math.max(0, now.posts - shown),
    },
    posts_fetched_today: today.fetched,
    posts_reviewed_today: today.reviews,
    posts_approved_today: today.approvals,
  };
}
