import { Prisma } from "#lib/base/db.ts";
import { hasWords } from "#lib/base/has-words.ts";
import { authorKey } from "#lib/fediverse/account.ts";
import {
  entryConditions,
  postConditions,
  readsEntries,
  sharedConditions,
  timeColumn,
  timeConditions,
} from "./conditions.ts";
import { searchedAddress } from "./look-up-address.ts";
import { statesOf, type PostFilters, type PostOrder } from "./filter-schema.ts";

/** A set of posts as SQL: `SELECT ${id} FROM ${from} WHERE ${where} ORDER BY ${order} …`. */
export interface PostSelection {
  id: Prisma.Sql;
  from: Prisma.Sql;
  where: Prisma.Sql;
  order: Prisma.Sql;
}

const postSortColumns = {
  id: Prisma.sql`p.id`,
  created: Prisma.sql`p.created_at`,
  author: Prisma.sql`p.author_key`,
};
const entrySortColumns = {
  id: Prisma.sql`e.post_id`,
  created: Prisma.sql`e.post_created_at`,
  author: Prisma.sql`e.author_key`,
};

/**
 * SQL of a total order.
 *
 * @param time column that `newest` and `oldest` use in place of the time of creation
 */
export function orderOf(
  order: PostOrder,
  time: Prisma.Sql | null = null,
  { id, created, author } = postSortColumns,
): Prisma.Sql {
  return {
    newest: Prisma.sql`${time ?? created} DESC, ${id} DESC`,
    oldest: Prisma.sql`${time ?? created} ASC, ${id} ASC`,
    // Scores near 0.5 first; posts without a score come last.
    ai_unsure: Prisma.sql`coalesce(abs(p.ai_score - 0.5), 1), ${created} DESC, ${id} DESC`,
    author: Prisma.sql`${author}, ${created} DESC, ${id} DESC`,
  }[order];
}

/** How the words of a search are compared: through the GIN index, in each row (see `hasWords`), or not at all. */
export type WordAccess = "index" | "row" | "none";

/**
 * Turns filters into SQL. Filters that queue entries can answer (`queue_status`, `held_by`, deliveries, errors) read
 * `queue_entry e`, which is narrow, and join posts only for other filters.
 */
export function selectPosts(
  filters: PostFilters,
  order: PostOrder,
  words: WordAccess = "none",
): PostSelection {
  const time = timeColumn(filters);
  const post = words === "index" ? postsWithWords(filters) : Prisma.sql`post p`;
  const onPost = [...postConditions(filters), ...(words === "row" ? wordConditions(filters, "row") : [])];
  if (!readsEntries(filters)) {
    const where = [...onPost, ...sharedConditions(filters, Prisma.sql`p`), ...timeConditions(filters)];
    return { id: Prisma.sql`p.id`, where: all(where), from: post, order: orderOf(order, time) };
  }
  const where = [
    ...entryConditions(filters),
    ...sharedConditions(filters, Prisma.sql`e`),
    ...timeConditions(filters),
    ...onPost,
  ];
  const needsPost =
    onPost.length > 0 ||
    words === "index" ||
    order === "ai_unsure" ||
    filters.happened === "fetched" ||
    filters.happened === "reviewed";
  const entries = entriesIn(filters);
  return {
    id: Prisma.sql`e.post_id`,
    from: needsPost ? Prisma.sql`${entries} JOIN ${post} ON p.id = e.post_id` : entries,
    where: all(where),
    order: orderOf(order, time, entrySortColumns),
  };
}

/**
 * SQL of `(id)`: the post `w.id` of an outer row, if it matches the filters. For checking a few thousand known posts;
 * `OFFSET 0` keeps the planner from joining the tables as a whole, which would read all posts.
 */
export function matchingPost(filters: PostFilters): Prisma.Sql {
  const { seen_in, ...rest } = filters;
  const where = [
    ...postConditions(rest),
    ...sharedConditions(rest, Prisma.sql`p`),
    ...entryConditions(rest),
    ...timeConditions(filters),
    ...wordConditions(rest, "row"),
    ...(seen_in === undefined
      ? []
      : [Prisma.sql`EXISTS (SELECT FROM sighting s WHERE s.stream_id = ${seen_in} AND s.post_id = p.id)`]),
  ];
  const from = readsEntries(filters)
    ? Prisma.sql`post p JOIN queue_entry e ON e.post_id = p.id`
    : Prisma.sql`post p`;
  return Prisma.sql`SELECT p.id FROM ${from} WHERE p.id = w.id AND ${all(where)} OFFSET 0`;
}

/**
 * FROM of the queue entries `e`. Several states are a UNION of one range of an index each, which PostgreSQL merges in order.
 * `held_by` reads all states but `delivered`, whose posts nothing holds.
 */
function entriesIn({ queue_status: status, held_by }: PostFilters): Prisma.Sql {
  const open = held_by === undefined ? [] : ["pending", "reserved", "error"];
  const states = status === undefined ? open : statesOf(status);
  if (states.length < 2) return Prisma.sql`queue_entry e`;
  const parts = states.map((state) => Prisma.sql`SELECT * FROM queue_entry WHERE state = ${state}`);
  return Prisma.sql`(${Prisma.join(parts, " UNION ALL ")}) e`;
}

/** Conditions on the words of a post `p`. A user name without a host has no index of its own, so it is searched as a word. */
export function wordConditions({ q, author }: PostFilters, access: "index" | "row"): Prisma.Sql[] {
  const conditions: Prisma.Sql[] = [];
  if (q !== undefined && q.trim() !== "" && searchedAddress(q) === null) conditions.push(hasWords(q, access));
  if (author !== undefined && authorKey(author) === null) {
    const name = userName(author);
    conditions.push(hasWords(name, access), Prisma.sql`split_part(p.author_key, '@', 1) = ${name}`);
  }
  return conditions;
}

/** The posts `p` that the GIN index finds. OFFSET 0 keeps the planner from combining it with other indexes. */
function postsWithWords(filters: PostFilters): Prisma.Sql {
  return Prisma.sql`(SELECT * FROM post p WHERE ${all(wordConditions(filters, "index"))} OFFSET 0) p`;
}

/**
 * Splits filters for a search: no index returns `checked` in the order of a list, so they are compared row by row,
 * together with the words.
 */
export function splitForSearch(filters: PostFilters): { listed: PostFilters; checked: PostFilters } {
  const { reviewer, reviewed_by, ...listed } = filters;
  return { listed, checked: { reviewer, reviewed_by } };
}

/**
 * SQL of a row without columns if the post `l.id` of an outer row contains the words of the filters and matches `checked`.
 * It is a step of its own, so that an index alone can answer the other filters. OFFSET 0 as in `matchingPost`.
 */
export function containsWords(filters: PostFilters, checked: PostFilters = {}): Prisma.Sql {
  const where = [...wordConditions(filters, "row"), ...postConditions(checked)];
  return Prisma.sql`SELECT FROM post p WHERE p.id = l.id AND ${all(where)} OFFSET 0`;
}

function userName(author: string): string {
  return author.trim().replace(/^@/, "").toLowerCase();
}

/** The conjunction of conditions; true without any. */
export function all(conditions: Prisma.Sql[]): Prisma.Sql {
  return conditions.length === 0 ? Prisma.sql`true` : Prisma.join(conditions, " AND ");
}
