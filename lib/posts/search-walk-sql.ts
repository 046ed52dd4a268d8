import { Prisma } from "#lib/db.ts";
import { authorKey } from "#lib/fediverse/account.ts";
import { isWalkedByEntry } from "./moments-sql.ts";
import { partsAfter, unsureness, type Ordered } from "./search-after-sql.ts";
import type { PostFilters, PostOrder } from "./schema.ts";
import { all, ofFoundPost, rowOf, selectPosts, sortable, wordConditions } from "./select-posts.ts";

/** Whether a search in this order can stop and be taken up again at a time. */
export function isByTime(order: PostOrder): boolean {
  return order === "newest" || order === "oldest";
}

/**
 * Those of the filters that an index in this order carries together: what they leave out is passed over without
 * reading it. All others are asked of each post that the walk meets, so that what a walk of so many posts costs does
 * not depend on how many of them match.
 */
function carriedBy(filters: PostFilters, order: PostOrder): PostFilters {
  const { since, until, stream_id, own_streams, approved, reviewed, happened } = filters;
  const range = { happened, since, until };
  if (isByTime(order) && isWalkedByEntry(filters) && happened !== "fetched" && happened !== "reviewed") {
    const { queue_status, held_by, error_reason, waited_for_delivery } = filters;
    const implied =
      error_reason !== undefined ? "error" : waited_for_delivery !== undefined ? "delivered" : undefined;
    return { ...range, queue_status: queue_status ?? implied, held_by };
  }
  if (isByTime(order) && happened === "fetched") return { ...range, stream_id };
  if (isByTime(order) && happened === "reviewed") {
    const { reviewer, auto_rejected } = filters;
    const decided = { ...range, approved, auto_rejected };
    return stream_id === undefined ? { ...decided, reviewer } : { ...decided, stream_id };
  }
  const { has_media, language, ai_would_reject, vision_category, author, instance } = filters;
  const byCreation = happened === undefined || happened === "created";
  const looks = { stream_id, own_streams, has_media, language, ai_would_reject, vision_category };
  // post_instance_idx carries the decision alone.
  const isOfServer = isByTime(order) && Object.values(looks).every((value) => value === undefined);
  return {
    ...looks,
    approved,
    reviewed,
    ...(byCreation ? { since, until } : {}),
    ...(order !== "ai_unsure" && author !== undefined && authorKey(author) !== null ? { author } : {}),
    ...(isOfServer ? { instance } : {}),
  };
}

export interface WalkOptions {
  limit: number;
  /** Conditions on the walked rows, `p` or `e`, that cost no more than an index. */
  also?: Prisma.Sql[];
}

/**
 * The first `limit` posts in an order that may match, `(id, created_at, moment, key)`, from the place on that the
 * filters name. A walk in an index; `ofMet` tells which of them match.
 */
export function walk(filters: PostFilters, order: PostOrder, { limit, also = [] }: WalkOptions): Prisma.Sql {
  const carried = carriedBy(filters, order);
  const { id, from, where, order: by } = selectPosts(carried, order, "none");
  const row = rowOf(carried);
  const key = keyOf(order, row);
  // Where time orders, an index of another moment does not know the creation.
  const createdAt = isByTime(order) ? row.moment : row.created_at;
  const part = (conditions: Prisma.Sql[]) => Prisma.sql`
    SELECT ${id} AS id, ${createdAt} AS created_at, ${row.moment} AS moment, ${key} AS key
      FROM ${from} WHERE ${all([where, ...also, ...conditions])} ORDER BY ${by} LIMIT ${limit}`;
  const parts = filters.after ? partsAfter(filters.after, row).map((after) => part([after])) : [part([])];
  if (parts.length === 1) return parts[0] as Prisma.Sql;
  return Prisma.sql`
    SELECT * FROM (${Prisma.join(
      parts.map((each) => Prisma.sql`(${each})`),
      " UNION ALL ",
    )}) w ORDER BY ${walkOrders[order]} LIMIT ${limit}`;
}

function keyOf(order: PostOrder, row: Ordered): Prisma.Sql {
  if (isByTime(order)) return Prisma.sql`NULL::text`;
  return order === "author" ? row.author_key : unsureness;
}

/** The orders of posts, for rows of `walk` named `w`. */
export const walkOrders: Record<PostOrder, Prisma.Sql> = {
  newest: Prisma.sql`w.moment DESC, w.id DESC`,
  oldest: Prisma.sql`w.moment ASC, w.id ASC`,
  ai_unsure: Prisma.sql`w.key, w.created_at DESC, w.id DESC`,
  author: Prisma.sql`w.key, w.created_at DESC, w.id DESC`,
};

/**
 * The post of a row `w` that was met, with what orders sort by, if it matches everything. Fenced: joined as a whole,
 * posts would be read from end to end.
 */
export function ofMet(filters: PostFilters): Prisma.Sql {
  const { from, where } = ofFoundPost(filters);
  return Prisma.sql`SELECT ${sortable}, ${rowOf(filters).moment} AS moment FROM ${from}
    WHERE p.id = w.id AND ${where} AND ${all(wordConditions(filters, "row"))} OFFSET 0`;
}

/**
 * Where a walk of `reach` posts ends, among the rows of one that goes one further, as `(next_moment, moment, id, key)`:
 * the moment of the first post beyond and the last post's place. No row when it meets all there are.
 */
export function edgeIn(walked: Prisma.Sql, order: PostOrder, reach: number): Prisma.Sql {
  return Prisma.sql`
    SELECT max(w.moment) FILTER (WHERE w.n = 2) AS next_moment, max(w.moment) FILTER (WHERE w.n = 1) AS moment,
           max(w.id) FILTER (WHERE w.n = 1) AS id, max(w.key::text) FILTER (WHERE w.n = 1) AS key
      FROM (SELECT w.*, row_number() OVER (ORDER BY ${walkOrders[order]}) AS n
              FROM (SELECT * FROM ${walked} w ORDER BY ${walkOrders[order]} OFFSET ${reach - 1}) w) w
    HAVING count(*) = 2`;
}
