import { db, Prisma } from "#lib/base/db.ts";
import type { FieldError } from "#lib/base/errors.ts";
import { compactBeforeRead } from "#lib/base/tally.ts";
import { countOf, filtersOf } from "./count-posts.ts";
import { resolveAddress } from "./look-up-address.ts";
import { postColumns, type PostRow } from "./post-row.ts";
import { type PostList } from "./post-schema.ts";
import { PostQuery } from "./filter-schema.ts";
import { foundPosts, searchMode, type SearchMode } from "./search-posts.ts";
import { orderOf, selectPosts } from "./select-posts.ts";
import { serializePost } from "./serialize.ts";
import { timeColumn } from "./conditions.ts";

interface CountedRow {
  total: number | undefined;
  total_is_more: boolean | undefined;
  incomplete: boolean | undefined;
}
/** Removes the columns of the count from a row: JSON leaves undefined fields out. */
const uncounted: CountedRow = { total: undefined, total_is_more: undefined, incomplete: undefined };

/** One page of posts and how many match, both from the same snapshot. */
export async function listPosts(query: PostQuery): Promise<PostList> {
  await compactBeforeRead();
  const known = await resolveAddress(query);
  const statement = listStatement(known, await searchMode(known));
  const rows = await db.$queryRaw<(PostRow & CountedRow)[]>(statement);
  const { total = 0, total_is_more = false, incomplete = false } = rows[0] ?? {};
  return {
    // An empty page is one row that carries the count, its post all nulls.
    items: rows.flatMap((row) =>
      (row.id as number | null) === null ? [] : serializePost(Object.assign(row, uncounted)),
    ),
    total,
    ...(total_is_more ? { total_is_more } : {}),
    ...(incomplete ? { incomplete_results: true } : {}),
    skip: query.skip,
    limit: query.limit,
  };
}

/** `listPosts` for the query string of a page, or the fields that are invalid. */
export async function listPostsOfQuery(query: string): Promise<PostList | { errors: FieldError[] }> {
  const { data, error } = PostQuery.safeParse(Object.fromEntries(new URLSearchParams(query)));
  if (data !== undefined) return listPosts(data);
  return { errors: error.issues.map(({ path, message }) => ({ path: path.join("."), message })) };
}

/** Results of the picture check that occur among the newest 20 000 posts. */
export async function pictureCategories(): Promise<string[]> {
  const rows = await db.$queryRaw<{ category: string }[]>`
    SELECT DISTINCT vision_category AS category
      FROM (SELECT vision_category FROM post ORDER BY created_at DESC, id DESC LIMIT 20000) newest
     WHERE vision_category IS NOT NULL`;
  return rows.map(({ category }) => category);
}

/**
 * SQL of one page and the count. Ids are found in narrow indexes, and only the rows of the page are read as a whole, so
 * `skip` costs index entries and no posts.
 */
export function listStatement(query: PostQuery, mode: SearchMode | null): Prisma.Sql {
  return Prisma.sql`${nameOf(query)}
    WITH ${mode === null ? plainPage(query) : searchedPage(query, mode)}
    SELECT ${postColumns}, c.*
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

/** CTEs `counted` and `page`. No page is looked for behind the last post. */
function plainPage(query: PostQuery): Prisma.Sql {
  const { id, from, where, order } = selectPosts(query, query.order);
  // As literals: with an unknown offset no prepared plan would look cheap enough to be kept.
  const [limit, skip] = [query.limit, query.skip].map((n) => Prisma.raw(String(n)));
  return Prisma.sql`
    counted AS MATERIALIZED (SELECT n.*, false AS incomplete FROM (${countOf(query)}) n),
    page AS MATERIALIZED (
      SELECT ${id} AS id FROM ${from}
       WHERE ${where} AND (SELECT total > ${skip} OR total_is_more FROM counted)
       ORDER BY ${order} LIMIT ${limit} OFFSET ${skip})`;
}

function searchedPage(query: PostQuery, mode: SearchMode): Prisma.Sql {
  return Prisma.sql`
    ${foundPosts(query, query.order, mode)},
    counted AS MATERIALIZED (
      SELECT (SELECT count(*) FROM found)::float8 AS total, incomplete AS total_is_more, incomplete FROM searched),
    page AS MATERIALIZED (SELECT id FROM found ORDER BY position LIMIT ${query.limit} OFFSET ${query.skip})`;
}
