import { db, Prisma, type Tx } from "#lib/db.ts";
import type { ExportSwitches } from "#lib/queue/holds.ts";
import { countOf } from "./count-posts.ts";
import { momentOf } from "./moments-sql.ts";
import { postColumns, type PostRow } from "./post-row.ts";
import type { PostFilters, PostQuery } from "./schema.ts";
import { readPlace, writePlace } from "./search-after.ts";
import { shortLead, type Lead } from "./search-leads.ts";
import { nowhere, REACH, searchPage, WINDOW, type PostSearch } from "./search-sql.ts";
import { isFrequent } from "./search-shares.ts";
import { orderOf, searchedTexts, selectPosts } from "./select-posts.ts";
import type { HistoryRow } from "./serialize.ts";

/** Columns of `export_setting s` that decide what holds an entry. */
const switchColumns = Prisma.sql`s.require_media, s.require_alt_text, s.auto_reject_bots`;

export type PostWithSwitches = PostRow & ExportSwitches;

/** How many match, beside each row of a page. */
interface CountedRow {
  total: number;
  total_is_more: boolean;
  searched_until: Date | null;
  stop_at: Date | null;
  stop_id: number | null;
  stop_key: string | null;
}

/**
 * One page and the count, of one moment and in one round trip. The page is found in a narrow index first and only
 * its rows are read whole, so skipping costs index entries and no posts; behind the last post nothing is walked at
 * all. Without words to look for, the count is exact; with them, see `searchPage`.
 * @param search how words are looked for
 */
export function listStatement(query: PostQuery, search: PostSearch = { in: "rare" }): Prisma.Sql {
  const parts = searchedTexts(query).length === 0 ? plainPage(query) : searchPage(query, search);
  return Prisma.sql`
    WITH ${parts}
    SELECT c.*, ${switchColumns}, ${postColumns}
      FROM counted c CROSS JOIN export_setting s
      LEFT JOIN (page JOIN post p ON p.id = page.id LEFT JOIN queue_entry e ON e.post_id = p.id) ON true
     ORDER BY ${orderOf(query.order, momentOf(query))}`;
}

function plainPage(query: PostQuery): Prisma.Sql {
  const { id, from, where, order } = selectPosts(query, query.order);
  return Prisma.sql`counted AS MATERIALIZED (SELECT n.*, ${nowhere} FROM (${countOf(query)}) n),
    page AS MATERIALIZED (
      SELECT ${id} AS id FROM ${from}
       WHERE ${where} AND (SELECT total > ${query.skip} OR total_is_more FROM counted)
       ORDER BY ${order} LIMIT ${query.limit} OFFSET ${query.skip}
    )`;
}

export interface PostPage {
  rows: PostWithSwitches[];
  total: number;
  /** True when counting stopped at `total`. */
  total_is_more: boolean;
  /** Where the search stopped, when it has not looked at all posts: those of this time and further on are left. */
  searched_until: Date | null;
  /** The same where no time says it: those behind this place are left. */
  search_after: string | null;
}

/** Rows of a page in order, and how many posts match; the rows are empty behind the last page. */
export async function listRows(asked: PostQuery): Promise<PostPage> {
  const { search_after, ...rest } = asked;
  const place = search_after === undefined ? null : readPlace(search_after, asked.order);
  const query: PostQuery & PostFilters = { ...rest, ...(place ? { after: place } : {}) };
  if (!(await isFrequent(query))) return readPage(listStatement(query));
  const lead = await shortLead(query, REACH);
  const within = () => readPage(listStatement(query, { in: "within", lead: lead as Lead }));
  if (lead !== null && lead.posts <= WINDOW) return within();
  const page = await readPage(listStatement(query, { in: "window" }));
  if (!page.total_is_more || page.total >= query.skip + query.limit) return page;
  // All that can match are no more than a search looks through: it knows of every one then.
  if (lead !== null) return within();
  // A page far behind has to pass what stands before it, whatever it costs.
  const reach = REACH + 4 * (query.skip + query.limit);
  const further = await readPage(listStatement(query, { in: "further", reach, stopsAt: "time" }));
  if (further.search_after !== null) return further;
  if (further.searched_until !== null) {
    const from = (query.order === "oldest" ? query.since : query.until)?.getTime();
    // So many posts of one millisecond: a search that is taken up at that time would come no further.
    return further.searched_until.getTime() === from
      ? readPage(listStatement(query, { in: "further", reach, stopsAt: "post" }))
      : further;
  }
  // Of a page near the beginning the first count knows more.
  return { ...further, total: Math.max(page.total, further.total) };
}

/** What a `listStatement` finds. */
export async function readPage(statement: Prisma.Sql): Promise<PostPage> {
  const rows = await db.$queryRaw<(PostWithSwitches & CountedRow)[]>(statement);
  // Without a page there is still the row that carries the count, its post all nulls.
  const { total = 0, total_is_more = false, searched_until = null } = rows[0] ?? {};
  const { stop_at: moment = null, stop_id: id = null, stop_key: key = null } = rows[0] ?? {};
  return {
    rows: rows.filter((row) => (row.id as number | null) !== null),
    total,
    total_is_more,
    searched_until,
    search_after: moment === null || id === null ? null : writePlace({ moment, id, key }),
  };
}

/** Posts by id, in no order; what does not exist is left out. */
export async function readRows(tx: Tx, ids: number[]): Promise<PostWithSwitches[]> {
  if (ids.length === 0) return [];
  return tx.$queryRaw<PostWithSwitches[]>`
    SELECT ${switchColumns}, ${postColumns}
      FROM export_setting s, post p LEFT JOIN queue_entry e ON e.post_id = p.id
     WHERE p.id = ANY (${ids}::int[])`;
}

/** A post nacked for ever has a line a minute; what is shown stays bounded and keeps the newest. */
const MAX_HISTORY = 1000;

/** History of a post, oldest first; of a very long one the newest lines. */
export async function historyRows(tx: Tx, postId: number): Promise<HistoryRow[]> {
  const rows = await tx.$queryRaw<HistoryRow[]>`
    SELECT at, actor, source, action, from_state, to_state, note FROM post_event
     WHERE post_id = ${postId} ORDER BY id DESC LIMIT ${MAX_HISTORY}`;
  return rows.reverse();
}

/** Deletes posts with a tombstone each; answers how many there were. */
export async function deleteRows(tx: Tx, ids: number[], reason: string): Promise<number> {
  const rows = await tx.$queryRaw<{ n: number }[]>`SELECT delete_posts(${ids}::int[], ${reason}) AS n`;
  return rows[0]?.n ?? 0;
}

/** Those of the posts that came by none of these streams. */
export async function idsOfOtherStreams(tx: Tx, ids: number[], streams: number[]): Promise<number[]> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM post
     WHERE id = ANY (${ids}::int[]) AND (stream_id IS NULL OR NOT stream_id = ANY (${streams}::int[]))`;
  return rows.map((row) => row.id);
}

/** Locks a post until the transaction ends and says how it was reviewed; undefined when there is none. */
export async function lockApproved(tx: Tx, id: number): Promise<boolean | null | undefined> {
  const rows = await tx.$queryRaw<{ approved: boolean | null }[]>`
    SELECT approved FROM post WHERE id = ${id} FOR UPDATE`;
  return rows[0]?.approved;
}
