import { Prisma } from "#lib/db.ts";
import { isAfter } from "#lib/posts/search-after-sql.ts";
import type { PostFilters, PostOrder } from "#lib/posts/schema.ts";
import type { Lead } from "#lib/posts/search-leads.ts";
import { edgeIn, ofMet, walk, walkOrders } from "#lib/posts/search-walk-sql.ts";
import {
  all,
  orderOf,
  rowOf,
  searchedTexts,
  selectPosts,
  sortable,
  type WordSearch,
} from "#lib/posts/select-posts.ts";

/**
 * How words are looked for: through their index; among the few that another filter finds; or in so many posts that the
 * walk of the order meets, as in lists (`PostSearch`). Without words there is nothing to choose.
 */
export type DeckSearch = { in: "rare" } | { in: "within"; lead: Lead } | { in: "walk"; reach: number };

/** What the filters ask of rows named `p`. The deck's order is by creation whatever `happened` says, and so are its places. */
export function deckWhere({ after, ...filters }: PostFilters, words: WordSearch): Prisma.Sql {
  const { where } = selectPosts(filters, "newest", words);
  return after ? all([where, isAfter(after, rowOf({}))]) : where;
}

/** Unreviewed posts that match, as `${among} AND …` behind FROM, for rows named `p`, with a CTE it may need. */
export function matchingOf(
  filters: PostFilters,
  search: Exclude<DeckSearch, { in: "walk" }>,
): { matching: Prisma.Sql; among: Prisma.Sql } {
  const open = (words: WordSearch) =>
    Prisma.sql`post p WHERE p.approved IS NULL AND ${deckWhere(filters, words)}`;
  const among = Prisma.sql`matching p WHERE true`;
  if (search.in === "within") {
    const found = Prisma.sql`(SELECT ${sortable} FROM ${open("row")} AND p.id = w.id OFFSET 0)`;
    return {
      matching: Prisma.sql`matching AS MATERIALIZED (SELECT m.* FROM (${search.lead.ids} OFFSET 0) w, LATERAL ${found} m),`,
      among,
    };
  }
  if (searchedTexts(filters).length === 0) return { matching: Prisma.empty, among: open("row") };
  return {
    matching: Prisma.sql`matching AS MATERIALIZED (SELECT ${sortable} FROM ${open("index")}),`,
    among,
  };
}

/** A walk over unreviewed posts that may match, and the condition on each row `w` of it that it does. */
export function walkOf(filters: PostFilters, order: PostOrder, limit: number, also: Prisma.Sql[]) {
  const { walked, met } = walkedOf(filters);
  return { walked: walk(walked, order, { limit, also }), met };
}

function walkedOf(filters: PostFilters): { walked: PostFilters; met: Prisma.Sql } {
  const { happened, since, until, after, ...rest } = filters;
  const range = happened === "fetched" ? {} : { since, until };
  return {
    walked: { ...rest, ...range, after, reviewed: false },
    met: ofMet({ ...filters, after: undefined, reviewed: false }),
  };
}

const isFree = Prisma.sql`p.id NOT IN (SELECT post_id FROM passed)`;

/** No place where anything stopped. */
export const noEdge = Prisma.sql`SELECT NULL::timestamptz AS moment, NULL::int AS id, NULL::text AS key WHERE false`;

/**
 * SQL of `(id)`: free cards in order, at most `limit`, none that the CTE `passed` names; what it needs before that CTE;
 * and where the search for them stopped, when that is not their end.
 */
export function freeOf(
  filters: PostFilters,
  order: PostOrder,
  search: DeckSearch,
  limit: number,
): { matching: Prisma.Sql; free: Prisma.Sql; edge: Prisma.Sql } {
  if (search.in === "walk") {
    const { walked, met } = walkOf(filters, order, search.reach, [isFree]);
    return {
      matching: Prisma.empty,
      free: Prisma.sql`SELECT found.id FROM (${walked}) w, LATERAL (${met}) found ORDER BY ${walkOrders[order]} LIMIT ${limit}`,
      // Walked once more, but only where there were too few.
      edge: edgeIn(
        Prisma.sql`(${walkOf(filters, order, search.reach + 1, [isFree]).walked})`,
        order,
        search.reach,
      ),
    };
  }
  const { matching, among } = matchingOf(filters, search);
  return {
    matching,
    free: Prisma.sql`SELECT p.id FROM ${among} AND ${isFree} ORDER BY ${orderOf(order)} LIMIT ${limit}`,
    edge: noEdge,
  };
}
