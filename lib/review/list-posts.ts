import { db, Prisma } from "#lib/base/db.ts";
import { shortenTally } from "#lib/base/tally.ts";
import { countOf, filtersOf } from "./count-posts.ts";
import { withKnownAddress } from "./look-up-address.ts";
import { postColumns, type PostRow } from "./post-row.ts";
import { type PostList } from "./post-schema.ts";
import { PostQuery } from "./filter-schema.ts";
import { foundPosts, searchMode, type SearchMode } from "./search-posts.ts";
import { orderOf, selectPosts } from "./select-posts.ts";
import { serializePost } from "./serialize.ts";
import { timeColumn } from "./time-filter.ts";

interface CountedRow {
  total: number;
  total_is_more: boolean;
  incomplete: boolean;
}

/** One page of posts and how many match, both from the same snapshot. */
export async function listPosts(query: PostQuery): Promise<PostList> {
  await shortenTally();
  const known = await withKnownAddress(query);
  const statement = listStatement(known, await searchMode(known));
  const rows = await db.$queryRaw<(PostRow & CountedRow)[]>(statement);
  const { total = 0, total_is_more = false, incomplete = false } = rows[0] ?? {};
  return {
    // An empty page is one row that carries the count, its post all nulls.
    items: rows.filter((row) => (row.id as number | null) !== null).map((row) => serializePost(row)),
    total,
    ...(total_is_more ? { total_is_more } : {}),
    ...(incomplete ? { incomplete_results: true } : {}),
    skip: query.skip,
    limit: query.limit,
  };
}

/** The answer of GET /posts to a query string, for pages; null for a query that the API refuses. */
export async function listPostsOfQuery(query: string): Promise<PostList | null> {
  const parsed = PostQuery.safeParse(Object.fromEntries(new URLSearchParams(query)));
  return parsed.success ? listPosts(parsed.data) : null;
}

/**
 * One page and the count in one statement. Ids are found in narrow indexes, and only the rows of the page are read
 * whole, so `skip` costs index entries and no posts.
 */
export function listStatement(query: PostQuery, mode: SearchMode | null): Prisma.Sql {
  return Prisma.sql`${nameOf(query)}
    WITH ${mode === null ? plainPage(query) : searchedPage(query, mode)}
    SELECT c.*, ${postColumns}
      FROM counted c
      LEFT JOIN (page JOIN post p ON p.id = page.id LEFT JOIN queue_entry e ON e.post_id = p.id) ON true
     ORDER BY ${orderOf(query.order, timeColumn(query))}`;
}

/** The first page without filters, which clients ask for most, is prepared (lib/base/db.ts). */
function nameOf(query: PostQuery): Prisma.Sql {
  const isPlain =
    query.skip === 0 &&
    query.order === "newest" &&
    Object.values(filtersOf(query)).every((value) => value === undefined);
  return isPlain ? Prisma.raw(`/* first_${query.limit}_posts */`) : Prisma.empty;
}

/** CTEs `counted` and `page`. Behind the last post the page is not looked for. */
function plainPage(query: PostQuery): Prisma.Sql {
  const { id, from, where, order } = selectPosts(query, query.order);
  return Prisma.sql`
    counted AS MATERIALIZED (SELECT n.*, false AS incomplete FROM (${countOf(query)}) n),
    page AS MATERIALIZED (
      SELECT ${id} AS id FROM ${from}
       WHERE ${where} AND (SELECT total > ${query.skip} OR total_is_more FROM counted)
       ORDER BY ${order} LIMIT ${Prisma.raw(String(query.limit))} OFFSET ${query.skip})`;
}

function searchedPage(query: PostQuery, mode: SearchMode): Prisma.Sql {
  return Prisma.sql`
    ${foundPosts(query, query.order, mode)},
    counted AS MATERIALIZED (
      SELECT (SELECT count(*) FROM found)::float8 AS total, incomplete AS total_is_more, incomplete FROM searched),
    page AS MATERIALIZED (SELECT id FROM found ORDER BY position LIMIT ${query.limit} OFFSET ${query.skip})`;
}
