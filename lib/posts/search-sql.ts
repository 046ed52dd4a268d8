import { Prisma } from "#lib/db.ts";
import { momentOf } from "./moments-sql.ts";
import type { PostFilters, PostQuery } from "./schema.ts";
import type { Lead } from "./search-leads.ts";
import { edgeIn, isByTime, ofMet, walk, walkOrders } from "./search-walk-sql.ts";
import { orderOf, selectPosts, sortable } from "./select-posts.ts";

/** Words that most posts have are looked for in so many posts first. */
export const WINDOW = 5_000;

/** Posts that are looked through for a page before the search stops and says how far it came. */
export const REACH = 20_000;

/**
 * How a page of posts that have words is found. `rare`: through the index of words, all of them. `within`: among the few
 * that one of the other filters finds. `window`: in the first 5 000 posts that the walk of the order meets. `further`:
 * in as many as the reach says; where it `stopsAt` is a time, or, where time does not order, a post.
 */
export type PostSearch =
  | { in: "rare" | "window" }
  | { in: "within"; lead: Lead }
  | { in: "further"; reach: number; stopsAt: "time" | "post" };

/**
 * SQL of CTEs that end in `counted (total, total_is_more, searched_until, stop_at, stop_id, stop_key)` and `page (id)`.
 * What few posts have is fetched through the index of words, all of it, and sorted. What most have would be a million
 * rows that way: it is looked for in so many posts, each read by itself, which costs the same however many there are.
 */
export function searchPage(query: PostQuery, search: PostSearch): Prisma.Sql {
  if (search.in === "further") return searchFurther(query, search.reach, search.stopsAt);
  const found = foundBy(query, search);
  const isMore =
    search.in === "window" ? Prisma.sql`(SELECT count(*) FROM walked) > ${WINDOW}` : Prisma.sql`false`;
  const total = search.in === "window" ? Prisma.sql`least(count(*), ${WINDOW})` : Prisma.sql`count(*)`;
  return Prisma.sql`${found},
    counted AS MATERIALIZED (SELECT ${total}::float8 AS total, ${isMore} AS total_is_more, ${nowhere} FROM found),
    ${pageOf(query)}`;
}

/** SQL of the CTE `found`: the posts that match, with what orders sort by. */
function foundBy(query: PostQuery, search: Exclude<PostSearch, { in: "further" }>): Prisma.Sql {
  if (search.in === "rare") {
    const { from, where } = selectPosts(query, query.order);
    const moment = momentOf(query) ?? Prisma.sql`p.created_at`;
    return Prisma.sql`found AS MATERIALIZED (SELECT ${sortable}, ${moment} AS moment FROM ${from} WHERE ${where})`;
  }
  if (search.in === "within")
    return Prisma.sql`found AS MATERIALIZED (SELECT s.* FROM (${search.lead.ids} OFFSET 0) w, LATERAL (${ofMet(query)}) s)`;
  return Prisma.sql`walked AS MATERIALIZED (${walk(query, query.order, { limit: WINDOW + 1 })}),
      found AS MATERIALIZED (SELECT s.* FROM walked w, LATERAL (${ofMet(query)}) s)`;
}

/** A search that has not stopped. */
export const nowhere = Prisma.sql`NULL::timestamptz AS searched_until, NULL::timestamptz AS stop_at, NULL::int AS stop_id, NULL::text AS stop_key`;

function pageOf(query: PostQuery): Prisma.Sql {
  return Prisma.sql`page AS MATERIALIZED (
      SELECT p.id FROM found p ORDER BY ${orderOf(query.order, Prisma.sql`p.moment`)} LIMIT ${query.limit} OFFSET ${query.skip}
    )`;
}

/**
 * The same for a page that the first 5 000 posts do not fill: walks on until it is full, and asks for one more to
 * know whether there is one. Where hardly any post has the words and matches, that would be all of them: the walk ends
 * at the first post beyond `reach`. In the orders by time, what was found is then told as far as that post's time,
 * `searched_until`, which is left out, so that a search from there meets each post once. In the others, or where so many
 * posts are of one moment, the last post looked at is the place to go on behind.
 */
function searchFurther(query: PostQuery, reach: number, stopsAt: "time" | "post"): Prisma.Sql {
  const wanted = query.skip + query.limit;
  const inOrder = walkOrders[query.order];
  const isWithin =
    stopsAt === "post" || !isByTime(query.order)
      ? Prisma.sql`true`
      : query.order === "oldest"
        ? Prisma.sql`met.moment < e.next_moment`
        : Prisma.sql`met.moment > e.next_moment`;
  const stop =
    stopsAt === "post" || !isByTime(query.order)
      ? Prisma.sql`NULL::timestamptz AS searched_until, e.moment AS stop_at, e.id AS stop_id, e.key AS stop_key`
      : Prisma.sql`e.next_moment AS searched_until, NULL::timestamptz AS stop_at, NULL::int AS stop_id, NULL::text AS stop_key`;
  return Prisma.sql`walked AS MATERIALIZED (${walk(query, query.order, { limit: reach + 1 })}),
    met AS MATERIALIZED (
      SELECT s.* FROM (SELECT * FROM walked w ORDER BY ${inOrder} LIMIT ${reach}) w, LATERAL (${ofMet(query)}) s
       ORDER BY ${inOrder} LIMIT ${wanted + 1}
    ),
    edge AS MATERIALIZED (SELECT e.* FROM (${edgeIn(Prisma.sql`walked`, query.order, reach)}) e WHERE (SELECT count(*) FROM met) <= ${wanted}),
    found AS MATERIALIZED (SELECT met.* FROM met LEFT JOIN edge e ON true WHERE e.id IS NULL OR ${isWithin}),
    counted AS MATERIALIZED (
      SELECT n.total, n.is_more OR e.id IS NOT NULL AS total_is_more, ${stop}
        FROM (SELECT least(count(*), ${wanted})::float8 AS total, count(*) > ${wanted} AS is_more FROM found) n
        LEFT JOIN edge e ON true),
    ${pageOf(query)}`;
}

/** Ids of the posts that a search `within` finds, newest first. */
export function idsWithin(filters: PostFilters, lead: Lead, limit: number): Prisma.Sql {
  return Prisma.sql`
    SELECT p.id FROM (${lead.ids} OFFSET 0) w, LATERAL (${ofMet(filters)}) p
     ORDER BY ${orderOf("newest", Prisma.sql`p.moment`)} LIMIT ${limit}`;
}
