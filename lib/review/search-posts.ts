import { db, Prisma, type Tx } from "#lib/base/db.ts";
import { MAX_SEARCHED } from "./post-schema.ts";
import { type PostFilters, type PostOrder } from "./filter-schema.ts";
import {
  all,
  containsWords,
  matchingPost,
  selectPosts,
  splitForSearch,
  wordConditions,
} from "./select-posts.ts";

/**
 * How the words of a search are found. `rare`: through the GIN index, which finds all posts, and these are sorted.
 * `frequent`: in the first `MAX_SEARCHED` posts that match the other filters, in the order of the list, because a GIN index
 * reads all postings of a word before it returns a row.
 */
export type SearchMode = "rare" | "frequent";

/** Estimated posts above which words are frequent. At this number both modes cost the same. */
const FREQUENT_POSTS = 10_000;

interface Explained {
  "QUERY PLAN": [{ Plan: { "Plan Rows": number } }];
}

/** Chooses the mode by the planner's estimate, which knows the words that ANALYZE counted as frequent; null without words. */
export async function searchMode(filters: PostFilters): Promise<SearchMode | null> {
  const words = wordConditions(filters, "index");
  if (words.length === 0) return null;
  const [row] = await db.$queryRaw<[Explained]>`EXPLAIN (FORMAT JSON) SELECT FROM post p WHERE ${all(words)}`;
  return row["QUERY PLAN"][0].Plan["Plan Rows"] > FREQUENT_POSTS ? "frequent" : "rare";
}

/** CTEs `found (id, position)`, the posts in order, and `searched (incomplete)`: whether the limit was reached. */
export function foundPosts(filters: PostFilters, order: PostOrder, mode: SearchMode): Prisma.Sql {
  if (mode === "rare") {
    const { id, from, where, order: by } = selectPosts(filters, order, "index");
    return Prisma.sql`
      found AS MATERIALIZED (
        SELECT ${id} AS id, row_number() OVER (ORDER BY ${by}) AS position FROM ${from} WHERE ${where}),
      searched AS (SELECT false AS incomplete)`;
  }
  const { listed, checked } = splitForSearch(filters);
  const { id, from, where, order: by } = selectPosts(listed, order);
  return Prisma.sql`
    listed AS MATERIALIZED (
      SELECT l.id, row_number() OVER () AS position
        FROM (SELECT ${id} AS id FROM ${from} WHERE ${where} ORDER BY ${by} LIMIT ${MAX_SEARCHED + 1}) l),
    found AS MATERIALIZED (
      SELECT l.id, l.position FROM listed l, LATERAL (${containsWords(filters, checked)}) matching
       WHERE l.position <= ${MAX_SEARCHED}),
    searched AS (SELECT count(*) > ${MAX_SEARCHED} AS incomplete FROM listed)`;
}

export interface FoundPosts {
  /** Newest first. */
  ids: number[];
  /** Only the newest `MAX_SEARCHED` posts that match the other filters were searched. */
  incomplete: boolean;
}

/** Ids of the posts that match, newest first, at most `limit`. */
export async function findPosts(filters: PostFilters, limit: number): Promise<FoundPosts> {
  const mode = await searchMode(filters);
  if (mode === null) {
    const { id, from, where, order } = selectPosts(filters, "newest");
    const rows = await db.$queryRaw<{ id: number }[]>`
      SELECT ${id} AS id FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ${limit}`;
    return { ids: rows.map((row) => row.id), incomplete: false };
  }
  const [row] = await db.$queryRaw<[FoundPosts]>`
    WITH ${foundPosts(filters, "newest", mode)}
    SELECT ARRAY(SELECT id FROM found ORDER BY position LIMIT ${limit}) AS ids, incomplete FROM searched`;
  return row;
}

/** Those of these posts that match now. */
export async function stillMatching(tx: Tx, filters: PostFilters, ids: number[]): Promise<Set<number>> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT matching.id FROM unnest(${ids}::int[]) w (id), LATERAL (${matchingPost(filters)}) matching`;
  return new Set(rows.map((row) => row.id));
}
