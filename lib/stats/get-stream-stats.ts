import { toIso } from "#lib/clock.ts";
import { percent } from "./rate.ts";
import type { StreamStats } from "./schema.ts";
import { compactCountersWhenMany, streamCountRows, type StreamCountRow } from "./sql.ts";

/** Every stream's figures. A post counts for the stream that brought it first, so that sums are totals. */
export async function getStreamStats(): Promise<StreamStats> {
  await compactCountersWhenMany();
  const rows = await streamCountRows();
  const total = rows.reduce((sum, row) => sum + row.posts, 0);
  const active = rows.filter((row) => row.active).length;
  return {
    total_streams: rows.length,
    active_streams: active,
    inactive_streams: rows.length - active,
    streams: rows.map((row) => ({
      id: row.id,
      hashtag: row.hashtag,
      instance: row.instance,
      active: row.active,
      post_count: row.posts,
      approved_count: row.approved,
      rejected_count: row.rejected,
      unreviewed_count: row.unreviewed,
      approval_rate: percent(row.approved, row.posts),
      last_fetch: toIso(row.last_fetch),
    })),
    total_posts_all_streams: total,
    average_posts_per_stream: rows.length === 0 ? 0 : Math.round((total / rows.length) * 100) / 100,
    most_active_stream: first(rows, (row, best) => row.posts > best.posts),
    least_active_stream: first(rows, (row, best) => row.posts < best.posts),
  };
}

/** The first row, in order of id, that no later one beats. */
function first(rows: StreamCountRow[], beats: (row: StreamCountRow, best: StreamCountRow) => boolean) {
  const best = rows.reduce<StreamCountRow | undefined>(
    (so, row) => (so && !beats(row, so) ? so : row),
    undefined,
  );
  return best === undefined ? null : { id: best.id, hashtag: best.hashtag, post_count: best.posts };
}
