import { Prisma } from "#lib/db.ts";
import { momentOf, waitOfMoment } from "./moments-sql.ts";
import type { PostFilters } from "./schema.ts";
import { selectPosts } from "./select-posts.ts";

/** Counting by a moment stops here: so many entries of an index are read in the time that a page may take. */
export const COUNT_BY_MOMENT = 100_000;

/**
 * SQL of one row `(total, total_is_more)`: how many posts match. From the counters where they know, counted
 * otherwise; by a moment other than creation at most 100 000 are. How long something waited begins no index: those that
 * waited so long are counted among the newest 100 000.
 */
export function countOf(filters: PostFilters): Prisma.Sql {
  const counter = counterOf(filters);
  if (counter !== null) return Prisma.sql`SELECT (${counter})::float8 AS total, false AS total_is_more`;
  const { from, where } = selectPosts(filters, "newest");
  if (momentOf(filters) === null)
    return Prisma.sql`SELECT count(*)::float8 AS total, false AS total_is_more FROM ${from} WHERE ${where}`;
  const wait = waitOfMoment(filters);
  if (wait !== null) {
    const walked = selectPosts({ ...filters, ...wait.without }, "newest");
    return Prisma.sql`
      SELECT least(count(*) FILTER (WHERE waited), ${COUNT_BY_MOMENT})::float8 AS total,
             count(*) > ${COUNT_BY_MOMENT} AS total_is_more
        FROM (SELECT ${wait.condition} AS waited FROM ${walked.from} WHERE ${walked.where}
               ORDER BY ${walked.order} LIMIT ${COUNT_BY_MOMENT + 1}) counted`;
  }
  return Prisma.sql`
    SELECT least(count(*), ${COUNT_BY_MOMENT})::float8 AS total, count(*) > ${COUNT_BY_MOMENT} AS total_is_more
      FROM (SELECT FROM ${from} WHERE ${where} LIMIT ${COUNT_BY_MOMENT + 1}) counted`;
}

/** SQL of how many posts match in a stream, or in all, by their state alone. */
export function totalOf(filters: Pick<PostFilters, "stream_id" | "reviewed">): Prisma.Sql {
  return counterOf(filters) ?? Prisma.sql`0`;
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

/** SQL of the number that the counters have for these filters, or null when they have none. */
function counterOf(filters: PostFilters): Prisma.Sql | null {
  const column = columnOf(filters);
  if (column === null) return null;
  const stream =
    filters.stream_id === undefined ? Prisma.empty : Prisma.sql`WHERE stream_id = ${filters.stream_id}`;
  return Prisma.sql`SELECT coalesce(sum(${column}), 0) FROM counter_now ${stream}`;
}

/** The counter that answers these filters, or null when none does. */
function columnOf(filters: PostFilters): Prisma.Sql | null {
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
  const happened = filters.happened === "created" ? undefined : filters.happened;
  return { ...filters, happened, q: filters.q?.trim() ? filters.q : undefined };
}
