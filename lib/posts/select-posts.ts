import { Prisma } from "#lib/db.ts";
import { authorKey } from "#lib/fediverse/account.ts";
import { heldEntries, isHeldBy } from "./held-sql.ts";
import {
  decisionConditions,
  entryConditions,
  isWalkedByEntry,
  momentConditions,
  momentOf,
} from "./moments-sql.ts";
import type { PostFilters, PostOrder } from "./schema.ts";
import { isAfter, unsureness, type Ordered } from "./search-after-sql.ts";
import { searchQuery } from "./search-tokens.ts";

/** A set of posts as SQL: `SELECT ${id} FROM ${from} WHERE ${where} ORDER BY ${order} …`. */
export interface PostSelection {
  id: Prisma.Sql;
  from: Prisma.Sql;
  where: Prisma.Sql;
  order: Prisma.Sql;
}

/** Total orders of posts, for rows named `p`. Each has its indexes. */
const orders: Record<PostOrder, Prisma.Sql> = {
  newest: Prisma.sql`p.created_at DESC, p.id DESC`,
  oldest: Prisma.sql`p.created_at ASC, p.id ASC`,
  ai_unsure: Prisma.sql`${unsureness}, p.created_at DESC, p.id DESC`,
  author: Prisma.sql`p.author_key, p.created_at DESC, p.id DESC`,
};

/** What every order needs of rows named `p`; the orders by a moment need that too. */
export const sortable = Prisma.sql`p.id, p.created_at, p.author_key, p.ai_score`;

/**
 * Order of rows named `p`.
 * @param moment what newest and oldest go by, when it is not the time of creation
 */
export function orderOf(order: PostOrder, moment: Prisma.Sql | null = null): Prisma.Sql {
  if (moment === null) return orders[order];
  if (order === "newest") return Prisma.sql`${moment} DESC, p.id DESC`;
  return order === "oldest" ? Prisma.sql`${moment} ASC, p.id ASC` : orders[order];
}

/**
 * How words are looked for: through the index of words, in each row that something else has found, or not at all.
 * The planner is not left to choose: it knows neither how rare a rare word is nor which words go together.
 */
export type WordSearch = "index" | "row" | "none";

/**
 * Turns filters into SQL. What queue entries know (`queue_status`, `held_by`, deliveries, errors) is walked over them (`e`), narrow
 * as they are, and touches posts only for what they do not know.
 */
export function selectPosts(
  filters: PostFilters,
  order: PostOrder,
  words: WordSearch = "index",
): PostSelection {
  const moment = momentOf(filters);
  const ofPost = [...postConditions(filters), ...wordConditions(filters, words)];
  const behind = filters.after ? [isAfter(filters.after, rowOf(filters))] : [];
  if (!isWalkedByEntry(filters)) {
    const where = [
      ...ofPost,
      ...sharedConditions(filters, Prisma.sql`p`),
      ...momentConditions(filters),
      ...behind,
    ];
    return {
      id: Prisma.sql`p.id`,
      from: Prisma.sql`post p`,
      where: all(where),
      order: orderOf(order, moment),
    };
  }
  const where = [
    ...entryConditions(filters),
    ...sharedConditions(filters, Prisma.sql`e`),
    ...momentConditions(filters),
    ...ofPost,
    ...behind,
  ];
  const needsPost =
    ofPost.length > 0 ||
    order === "ai_unsure" ||
    filters.after?.order === "ai_unsure" ||
    filters.happened === "fetched" ||
    filters.happened === "reviewed";
  const entries =
    filters.held_by === undefined
      ? Prisma.sql`queue_entry e`
      : heldEntries({ ...filters, held_by: filters.held_by }, moment === null ? order : null);
  return {
    id: Prisma.sql`e.post_id`,
    from: needsPost ? Prisma.sql`${entries} JOIN post p ON p.id = e.post_id` : entries,
    where: all(where),
    order: queueOrder(order, moment ?? Prisma.sql`e.post_created_at`),
  };
}

/** Where these filters find what rows are ordered by: in the queue's entries `e` or in the posts `p`. */
export function rowOf(filters: PostFilters): Ordered {
  const byEntry = isWalkedByEntry(filters);
  const created_at = byEntry ? Prisma.sql`e.post_created_at` : Prisma.sql`p.created_at`;
  return {
    moment: momentOf(filters) ?? created_at,
    created_at,
    author_key: byEntry ? Prisma.sql`e.author_key` : Prisma.sql`p.author_key`,
    id: byEntry ? Prisma.sql`e.post_id` : Prisma.sql`p.id`,
  };
}

/**
 * All that the filters but words ask, of posts `p` that were found in another way, and where their rows come from: most of
 * them do not match, so that each is best looked at by itself.
 */
export function ofFoundPost(filters: PostFilters): { from: Prisma.Sql; where: Prisma.Sql } {
  const { seen_in, held_by, ...rest } = filters;
  const where = [
    ...postConditions(rest),
    ...sharedConditions(rest, Prisma.sql`p`),
    ...entryConditions(rest),
    ...momentConditions(filters),
    ...(held_by === undefined ? [] : [isHeldBy(held_by)]),
    ...(seen_in === undefined
      ? []
      : [Prisma.sql`EXISTS (SELECT FROM sighting s WHERE s.stream_id = ${seen_in} AND s.post_id = p.id)`]),
    ...(filters.after ? [isAfter(filters.after, rowOf(filters))] : []),
  ];
  const byEntry = isWalkedByEntry(filters);
  return {
    from: byEntry ? Prisma.sql`post p JOIN queue_entry e ON e.post_id = p.id` : Prisma.sql`post p`,
    where: all(where),
  };
}

function queueOrder(order: PostOrder, moment: Prisma.Sql): Prisma.Sql {
  return {
    newest: Prisma.sql`${moment} DESC, e.post_id DESC`,
    oldest: Prisma.sql`${moment} ASC, e.post_id ASC`,
    ai_unsure: orders.ai_unsure,
    author: Prisma.sql`e.author_key, e.post_created_at DESC, e.post_id DESC`,
  }[order];
}

/** What a queue entry knows as well as its post; `row` is the one that is walked. */
function sharedConditions(filters: PostFilters, row: Prisma.Sql): Prisma.Sql[] {
  const conditions: Prisma.Sql[] = [];
  if (filters.stream_id !== undefined) conditions.push(Prisma.sql`${row}.stream_id = ${filters.stream_id}`);
  if (filters.own_streams !== undefined)
    conditions.push(Prisma.sql`${row}.stream_id = ANY (${filters.own_streams}::int[])`);
  const key = filters.author === undefined ? null : authorKey(filters.author);
  if (key !== null) conditions.push(Prisma.sql`${row}.author_key = ${key}`);
  return conditions;
}

function postConditions(filters: PostFilters): Prisma.Sql[] {
  const conditions = decisionConditions(filters);
  if (filters.approved !== undefined) conditions.push(Prisma.sql`p.approved = ${filters.approved}`);
  if (filters.reviewed === true) conditions.push(Prisma.sql`p.approved IS NOT NULL`);
  if (filters.reviewed === false) conditions.push(Prisma.sql`p.approved IS NULL`);
  if (filters.seen_in !== undefined) {
    conditions.push(
      Prisma.sql`p.id IN (SELECT s.post_id FROM sighting s WHERE s.stream_id = ${filters.seen_in})`,
    );
  }
  if (filters.language !== undefined) {
    const language = filters.language.toLowerCase();
    // As in the statistics object post_language_share, or the planner guesses how many there are.
    const tag = Prisma.sql`lower(p.language COLLATE "C")`;
    conditions.push(Prisma.sql`(${tag} = ${language} OR starts_with(${tag}, ${`${language}-`}))`);
  }
  if (filters.has_media !== undefined) {
    conditions.push(filters.has_media ? Prisma.sql`p.media_count > 0` : Prisma.sql`p.media_count = 0`);
  }
  if (filters.ai_would_reject !== undefined)
    conditions.push(Prisma.sql`p.ai_would_reject = ${filters.ai_would_reject}`);
  if (filters.vision_category !== undefined)
    conditions.push(Prisma.sql`p.vision_category = ${filters.vision_category}`);
  if (filters.instance !== undefined)
    conditions.push(Prisma.sql`p.instance = ${filters.instance.trim().toLowerCase()}`);
  return conditions;
}

/** The texts in these filters that are looked for by their words. */
export function searchedTexts({ q, author }: PostFilters): string[] {
  const name = author === undefined || authorKey(author) !== null ? undefined : userName(author);
  return [q, name].filter((text) => text !== undefined && text.trim() !== "") as string[];
}

/** Conditions on the words of rows named `p`, true of what `selectPosts` leaves out with `words` "none". */
export function wordConditions(filters: PostFilters, words: WordSearch): Prisma.Sql[] {
  if (words === "none") return [];
  const conditions: Prisma.Sql[] = [];
  if (filters.q !== undefined && filters.q.trim() !== "") conditions.push(searched(filters.q, words));
  if (filters.author !== undefined && authorKey(filters.author) === null)
    conditions.push(named(filters.author, words));
  return conditions;
}

function searched(q: string, words: "index" | "row"): Prisma.Sql {
  const query = searchQuery(q);
  if (query === null) return Prisma.sql`false`;
  // No index serves the function behind the operator.
  return words === "index"
    ? Prisma.sql`p.search @@ ${query}::tsquery`
    : Prisma.sql`ts_match_vq(p.search, ${query}::tsquery)`;
}

/** A user name on any host: no index begins with it, so the search index narrows first. */
function named(author: string, words: "index" | "row"): Prisma.Sql {
  const name = userName(author);
  return Prisma.sql`${searched(name, words)} AND split_part(p.author_key, '@', 1) = ${name}`;
}

function userName(author: string): string {
  return author.trim().replace(/^@/, "").toLowerCase();
}

/** Conditions that must all be true. */
export function all(conditions: Prisma.Sql[]): Prisma.Sql {
  return conditions.length === 0 ? Prisma.sql`true` : Prisma.join(conditions, " AND ");
}
