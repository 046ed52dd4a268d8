import { db, Prisma, type Tx } from "#lib/db.ts";
import { momentOf } from "#lib/posts/moments-sql.ts";
import type { PostFilters } from "#lib/posts/schema.ts";
import { shortLead } from "#lib/posts/search-leads.ts";
import { isFrequent } from "#lib/posts/search-shares.ts";
import { idsWithin, REACH } from "#lib/posts/search-sql.ts";
import { ofMet, walk, walkOrders } from "#lib/posts/search-walk-sql.ts";
import { orderOf, searchedTexts, selectPosts, sortable } from "#lib/posts/select-posts.ts";

/** Steps of `REACH` posts that one batch looks through for words: a million posts. */
export const MAX_STEPS = 50;

export interface Matching {
  /** Newest first. */
  ids: number[];
  /** Set when the search stopped early: older posts were not all read. */
  searched_until: Date | null;
}

/**
 * Ids of the posts that match, newest first, at most `limit`. Outside of any transaction: what is found may have
 * changed by the time it is locked (`stillMatching`). For words that most posts have, steps of so many posts, each a
 * statement of its own, until there are `limit` or no more posts.
 */
export async function findMatching(
  filters: PostFilters,
  limit: number,
  { reach = REACH, steps = MAX_STEPS } = {},
): Promise<Matching> {
  if (!(await isFrequent(filters))) return all(await idsOf(matchingStatement(filters, limit)));
  const lead = await shortLead(filters, reach);
  if (lead !== null) return all(await idsOf(idsWithin(filters, lead, limit)));
  const ids: number[] = [];
  let after: PostFilters["after"];
  for (let step = 0; step < steps; step++) {
    const [row] = await db.$queryRaw<StepRow[]>(
      stepStatement({ ...filters, after }, reach, limit - ids.length),
    );
    if (!row) return all(ids);
    ids.push(...row.ids);
    if (row.walked < reach || ids.length >= limit) return all(ids);
    after = { order: "newest", moment: row.moment, id: row.id, key: null };
  }
  return { ids, searched_until: after?.moment ?? null };
}

const all = (ids: number[]): Matching => ({ ids, searched_until: null });

async function idsOf(statement: Prisma.Sql): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>(statement);
  return rows.map((row) => row.id);
}

/** As in lists: what few posts have is found by its words and then sorted; the walk of the order finds the rest. */
function matchingStatement(filters: PostFilters, limit: number): Prisma.Sql {
  const { id, from, where, order } = selectPosts(filters, "newest");
  if (searchedTexts(filters).length === 0)
    return Prisma.sql`SELECT ${id} AS id FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ${limit}`;
  const moment = momentOf(filters);
  return Prisma.sql`
    WITH found AS MATERIALIZED (SELECT ${sortable}${moment === null ? Prisma.empty : Prisma.sql`, ${moment} AS moment`}
        FROM ${from} WHERE ${where})
    SELECT id FROM found p ORDER BY ${orderOf("newest", moment && Prisma.sql`p.moment`)} LIMIT ${limit}`;
}

interface StepRow {
  walked: number;
  /** The last post that was walked. */
  moment: Date;
  id: number;
  ids: number[];
}

/** One step of a search: `reach` posts behind the place that the filters name, and which of them match. */
export function stepStatement(filters: PostFilters, reach: number, limit: number): Prisma.Sql {
  return Prisma.sql`
    WITH walked AS MATERIALIZED (${walk(filters, "newest", { limit: reach })})
    SELECT (SELECT count(*)::int FROM walked) AS walked, last.moment, last.id, ARRAY(
             SELECT found.id FROM (SELECT * FROM walked w ORDER BY ${walkOrders.newest}) w, LATERAL (${ofMet(filters)}) found
              ORDER BY ${walkOrders.newest} LIMIT ${limit}) AS ids
      FROM (SELECT w.moment, w.id FROM walked w ORDER BY w.moment, w.id LIMIT 1) last`;
}

/** Ids of those posts that match now. */
export async function stillMatching(tx: Tx, filters: PostFilters, ids: number[]): Promise<Set<number>> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT found.id FROM unnest(${ids}::int[]) w (id), LATERAL (${ofMet(filters)}) found`;
  return new Set(rows.map((row) => row.id));
}

export interface BatchRow {
  id: string;
  decision: "approve" | "reject";
  note: string | null;
  was_unreviewed: number[];
  was_rejected: number[];
  was_approved: number[];
  reviewed_at: Date | null;
  undone_at: Date | null;
}

/** Reads and locks a batch, so that it is undone once. */
export async function lockBatchRow(tx: Tx, id: string): Promise<BatchRow | null> {
  const rows = await tx.$queryRaw<BatchRow[]>`
    SELECT id, decision, note, was_unreviewed, was_rejected, was_approved, reviewed_at, undone_at
      FROM review_batch WHERE id = ${id}::uuid FOR UPDATE`;
  return rows[0] ?? null;
}

export async function markBatchUndone(tx: Tx, id: string): Promise<void> {
  await tx.$executeRaw(
    Prisma.sql`UPDATE review_batch SET undone_at = clock_timestamp() WHERE id = ${id}::uuid`,
  );
}
