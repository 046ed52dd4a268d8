import { Prisma } from "#lib/base/db.ts";
import { isReadyOnReturn } from "#lib/queue/expired.ts";
import { statesOf, type PostFilters } from "./filter-schema.ts";
import { selectPosts } from "./select-posts.ts";
import { timeColumn } from "./conditions.ts";

/** Limit of a count by another time than creation. It reads an index entry for each post while a page waits. */
export const MAX_COUNT_BY_TIME = 100_000;

/**
 * SQL of one row `(total, total_is_more)`: how many posts match. Read from the figures if they hold it,
 * otherwise counted. By another time than creation at most 100 000 are counted.
 */
export function countOf(filters: PostFilters): Prisma.Sql {
  const level = levelOf(filters);
  if (level !== null) return Prisma.sql`SELECT (${level})::float8 AS total, false AS total_is_more`;
  const ready = readyOf(filters);
  if (ready !== null) return Prisma.sql`SELECT (${ready})::float8 AS total, false AS total_is_more`;
  const { from, where } = selectPosts(filters, "newest");
  if (timeColumn(filters) === null)
    return Prisma.sql`SELECT count(*)::float8 AS total, false AS total_is_more FROM ${from} WHERE ${where}`;
  return Prisma.sql`
    SELECT least(count(*), ${MAX_COUNT_BY_TIME})::float8 AS total, count(*) > ${MAX_COUNT_BY_TIME} AS total_is_more
      FROM (SELECT FROM ${from} WHERE ${where} LIMIT ${MAX_COUNT_BY_TIME + 1}) counted`;
}

/** SQL of the number of ready posts, or null with other filters. Subtracts those that are not ready from a figure. */
function readyOf(filters: PostFilters): Prisma.Sql | null {
  const pending = filters.queue_status === "ready" ? levelOf({ ...filters, queue_status: "pending" }) : null;
  if (pending === null) return null;
  const { stream_id } = filters;
  const inStream = stream_id === undefined ? Prisma.sql`true` : Prisma.sql`e.stream_id = ${stream_id}`;
  return Prisma.sql`
    (${pending})
    - (SELECT count(*) FROM queue_entry e WHERE e.state = 'pending' AND e.holds > 0 AND ${inStream})
    - (SELECT count(*) FROM queue_entry e WHERE e.not_before IS NOT NULL AND e.state = 'pending' AND e.holds = 0
         AND ${inStream})
    + (SELECT count(*) FROM queue_entry e WHERE ${isReadyOnReturn} AND ${inStream})`;
}

/** SQL of the number of stored posts, of one stream or of all. */
export function totalOf(filters: Pick<PostFilters, "stream_id" | "reviewed">): Prisma.Sql {
  return levelOf(filters) ?? Prisma.sql`0`;
}

/** Figures of kind `level` that are added up, and one that is subtracted. */
interface Levels {
  add: readonly string[];
  subtract?: string;
}

const stored = ["unreviewed", "approved", "rejected", "auto_rejected"];
const rejected = ["rejected", "auto_rejected"];

/** SQL that reads the figure from the levels (prisma/functions/tally.sql), or null when they do not hold it. */
function levelOf(filters: PostFilters): Prisma.Sql | null {
  const levels = levelsOf(filters);
  if (levels === null) return null;
  const { add, subtract = "" } = levels;
  const { stream_id } = filters;
  return Prisma.sql`
    SELECT coalesce(sum(CASE metric WHEN ${subtract} THEN -n ELSE n END), 0) FROM tally_now('{level}')
     WHERE key = ${String(stream_id ?? "")} AND metric = ANY (${[...add, subtract]}::text[])`;
}

function levelsOf(filters: PostFilters): Levels | null {
  // The figures keep posts without a stream under id 0, which no stream has.
  const { stream_id, approved, reviewed, queue_status, has_media, ...rest } = filtersOf(filters);
  if (stream_id === 0 || Object.values(rest).some((value) => value !== undefined)) return null;
  if (has_media !== undefined) {
    if (approved !== undefined || reviewed !== undefined || queue_status !== undefined) return null;
    return has_media ? { add: ["with_media"] } : { add: stored, subtract: "with_media" };
  }
  // These depend on the time, and on more than the state.
  if (queue_status === "ready" || queue_status === "with_bot") return null;
  if (queue_status !== undefined)
    return approved === undefined && reviewed === undefined ? { add: statesOf(queue_status) } : null;
  if (approved !== undefined) {
    if (reviewed === false) return { add: [] };
    return { add: approved ? ["approved"] : rejected };
  }
  if (reviewed === undefined) return { add: stored };
  return { add: reviewed ? ["approved", ...rejected] : ["unreviewed"] };
}

/** The filters without paging and order, and without filters that change nothing. */
export function filtersOf(
  query: PostFilters & { skip?: unknown; limit?: unknown; order?: unknown },
): PostFilters {
  const { skip: _skip, limit: _limit, order: _order, ...filters } = query;
  const happened = filters.happened === "created" ? undefined : filters.happened;
  return { ...filters, happened, q: filters.q?.trim() ? filters.q : undefined };
}
