import { Prisma } from "#lib/db.ts";
import type { PostFilters } from "./schema.ts";
import { selectPosts } from "./select-posts.ts";

/** SQL of how many posts match: from the counters where they know (design §3), counted otherwise. */
export function totalOf(filters: PostFilters): Prisma.Sql {
  const counter = counterOf(filters);
  if (counter === null) {
    const { from, where } = selectPosts(filters, "newest");
    return Prisma.sql`SELECT count(*) FROM ${from} WHERE ${where}`;
  }
  const stream =
    filters.stream_id === undefined ? Prisma.empty : Prisma.sql`WHERE stream_id = ${filters.stream_id}`;
  return Prisma.sql`SELECT coalesce(sum(${counter}), 0) FROM counter_now ${stream}`;
}

const columns = {
  posts: Prisma.sql`posts`,
  approved: Prisma.sql`approved`,
  rejected: Prisma.sql`rejected`,
  unreviewed: Prisma.sql`unreviewed`,
  reviewed: Prisma.sql`approved + rejected`,
  pending: Prisma.sql`pending`,
  reserved: Prisma.sql`reserved`,
  delivered: Prisma.sql`delivered`,
  error: Prisma.sql`error`,
  with_media: Prisma.sql`with_media`,
  without_media: Prisma.sql`posts - with_media`,
  none: Prisma.sql`0`,
};

/** The counter that answers these filters, or null when none does. */
function counterOf(filters: PostFilters): Prisma.Sql | null {
  // Stream 0 is where the counters keep posts without a stream; no stream has that id.
  const { stream_id, approved, reviewed, queue_status, has_media, ...rest } = filtersOf(filters);
  if (stream_id === 0 || Object.values(rest).some((value) => value !== undefined)) return null;
  if (has_media !== undefined) {
    if (approved !== undefined || reviewed !== undefined || queue_status !== undefined) return null;
    return has_media ? columns.with_media : columns.without_media;
  }
  if (queue_status !== undefined)
    return approved === undefined && reviewed === undefined ? columns[queue_status] : null;
  if (approved !== undefined) {
    if (reviewed === false) return columns.none;
    return approved ? columns.approved : columns.rejected;
  }
  if (reviewed === undefined) return columns.posts;
  return reviewed ? columns.reviewed : columns.unreviewed;
}

/** The filters alone, out of a query that pages and orders too. */
function filtersOf(query: PostFilters & { skip?: unknown; limit?: unknown; order?: unknown }): PostFilters {
  const { skip: _skip, limit: _limit, order: _order, ...filters } = query;
  return { ...filters, q: filters.q?.trim() ? filters.q : undefined };
}
