import { Prisma } from "#lib/db.ts";
import { isWalkedByEntry, momentOf } from "./moments-sql.ts";
import type { PostFilters, PostOrder, PostQuery } from "./schema.ts";
import { all, orderOf, selectPosts, sortable, wordConditions } from "./select-posts.ts";

/** Words that most posts have are looked for in so many posts that match everything else. */
export const WINDOW = 5_000;

/**
 * SQL of CTEs that end in `counted (total, total_is_more, searched_until)` and `page (id)`; `isMany`: the words are frequent ones.
 * What few posts have is fetched through the index of words, all of it, and sorted. What most have would be a million
 * rows that way: it is looked for in the first 5 000 posts that match everything else, which costs the same however
 * many there are; `total` is then what was found there.
 */
export function searchPage(query: PostQuery, isMany: boolean): Prisma.Sql {
  const { where, from } = selectPosts(query, query.order);
  const found = isMany
    ? Prisma.sql`walked AS MATERIALIZED (${walk(query, query.order)} LIMIT ${WINDOW + 1}),
      found AS MATERIALIZED (SELECT s.*, w.moment FROM walked w, LATERAL (${wordsOf(query)}) s)`
    : Prisma.sql`found AS MATERIALIZED (SELECT ${sortable}, ${momentIn(query)} AS moment FROM ${from} WHERE ${where})`;
  const isMore = isMany ? Prisma.sql`(SELECT count(*) FROM walked) > ${WINDOW}` : Prisma.sql`false`;
  const total = isMany ? Prisma.sql`least(count(*), ${WINDOW})` : Prisma.sql`count(*)`;
  return Prisma.sql`${found},
    counted AS MATERIALIZED (SELECT ${total}::float8 AS total, ${isMore} AS total_is_more, NULL::timestamptz AS searched_until FROM found),
    page AS MATERIALIZED (
      SELECT p.id FROM found p ORDER BY ${orderOf(query.order, Prisma.sql`p.moment`)} LIMIT ${query.limit} OFFSET ${query.skip}
    )`;
}

/** Posts that are looked through for a page before the search stops and says how far it came. */
export const REACH = 20_000;

/** Whether a search in this order can stop and be taken up again at a time. */
export function isByTime(order: PostOrder): boolean {
  return order === "newest" || order === "oldest";
}

/**
 * The same for a page that the first 5 000 posts do not fill: walks on until it is full, and asks for one more to
 * know whether there is one. Where hardly any post that matches everything else has the words, that would be all of
 * them: in the orders by time the walk ends at the first post beyond `reach`. What was found is then told as far as that
 * post's time, `counted.searched_until`, which is left out, so that a search from there meets each post once.
 * @param reach posts to look through; null for all
 */
export function searchFurther(query: PostQuery, reach: number | null): Prisma.Sql {
  const wanted = query.skip + query.limit;
  const walked = walk(query, query.order);
  const beyond =
    reach === null || !isByTime(query.order)
      ? Prisma.sql`NULL::timestamptz`
      : Prisma.sql`CASE WHEN (SELECT count(*) FROM met) <= ${wanted}
          THEN (SELECT w.moment FROM (${walked} OFFSET ${reach} LIMIT 1) w) END`;
  const isWithin =
    query.order === "oldest" ? Prisma.sql`met.moment < e.moment` : Prisma.sql`met.moment > e.moment`;
  return Prisma.sql`met AS MATERIALIZED (
      SELECT s.*, w.moment FROM (${walked} ${limitOf(query.order, reach)}) w, LATERAL (${wordsOf(query)}) s
       ORDER BY ${walkOrders[query.order]} LIMIT ${wanted + 1}
    ),
    edge AS MATERIALIZED (SELECT ${beyond} AS moment),
    found AS MATERIALIZED (SELECT met.* FROM met, edge e WHERE e.moment IS NULL OR ${isWithin}),
    counted AS MATERIALIZED (
      SELECT least(count(*), ${wanted})::float8 AS total, count(*) > ${wanted} OR (SELECT moment FROM edge) IS NOT NULL AS total_is_more,
             (SELECT moment FROM edge) AS searched_until
        FROM found),
    page AS MATERIALIZED (
      SELECT p.id FROM found p ORDER BY ${orderOf(query.order, Prisma.sql`p.moment`)} LIMIT ${query.limit} OFFSET ${query.skip}
    )`;
}

function limitOf(order: PostOrder, reach: number | null): Prisma.Sql {
  // A fence in any case: the walk is to be made as it is ordered.
  return reach === null || !isByTime(order) ? Prisma.sql`OFFSET 0` : Prisma.sql`LIMIT ${reach}`;
}

/** Ids in order, by all filters but the words, with what they are ordered by and nothing that an index has not. */
function walk(filters: PostFilters, order: PostOrder): Prisma.Sql {
  const { id, from, where, order: by } = selectPosts(filters, order, "none");
  const byEntry = isWalkedByEntry(filters);
  const createdAt = byEntry ? Prisma.sql`e.post_created_at` : Prisma.sql`p.created_at`;
  const key = {
    newest: Prisma.empty,
    oldest: Prisma.empty,
    ai_unsure: Prisma.sql`, coalesce(abs(p.ai_score - 0.5), 1) AS unsure`,
    author: byEntry ? Prisma.sql`, e.author_key` : Prisma.sql`, p.author_key`,
  }[order];
  return Prisma.sql`SELECT ${id} AS id, ${createdAt} AS created_at, ${momentOf(filters) ?? createdAt} AS moment${key}
    FROM ${from} WHERE ${where} ORDER BY ${by}`;
}

/** What newest and oldest go by, of rows joined with their posts. */
function momentIn(filters: PostFilters): Prisma.Sql {
  return momentOf(filters) ?? Prisma.sql`p.created_at`;
}

/** The orders of posts, for rows of `walk` named `w`. */
const walkOrders: Record<PostOrder, Prisma.Sql> = {
  newest: Prisma.sql`w.moment DESC, w.id DESC`,
  oldest: Prisma.sql`w.moment ASC, w.id ASC`,
  ai_unsure: Prisma.sql`w.unsure, w.created_at DESC, w.id DESC`,
  author: Prisma.sql`w.author_key, w.created_at DESC, w.id DESC`,
};

/** The post of a row `w` if it has the words. Fenced: joined as a whole, posts would be read from end to end. */
function wordsOf(filters: PostFilters): Prisma.Sql {
  return Prisma.sql`SELECT ${sortable} FROM post p WHERE p.id = w.id AND ${all(wordConditions(filters, "row"))} OFFSET 0`;
}
