import { Prisma, type Tx } from "#lib/db.ts";
import { momentOf } from "#lib/posts/moments-sql.ts";
import type { PostFilters } from "#lib/posts/schema.ts";
import { isFrequent } from "#lib/posts/search-shares.ts";
import { orderOf, searchedTexts, selectPosts, sortable } from "#lib/posts/select-posts.ts";

/** Ids of the posts that match, newest first, at most `limit`. */
export async function matchingIds(tx: Tx, filters: PostFilters, limit: number): Promise<number[]> {
  // As in lists: what few posts have is found by its words and then sorted, what most have is met on the way.
  const areMany = await isFrequent(filters);
  const { id, from, where, order } = selectPosts(filters, "newest", areMany ? "row" : "index");
  const moment = momentOf(filters);
  const fence = searchedTexts(filters).length > 0 && !areMany;
  const rows = fence
    ? await tx.$queryRaw<{ id: number }[]>`
        WITH found AS MATERIALIZED (SELECT ${sortable}${moment === null ? Prisma.empty : Prisma.sql`, ${moment} AS moment`}
            FROM ${from} WHERE ${where})
        SELECT id FROM found p ORDER BY ${orderOf("newest", moment && Prisma.sql`p.moment`)} LIMIT ${limit}`
    : await tx.$queryRaw<{ id: number }[]>`
        SELECT ${id} AS id FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ${limit}`;
  return rows.map((row) => row.id);
}

export interface BatchRow {
  id: string;
  decision: "approve" | "reject";
  was_unreviewed: number[];
  was_rejected: number[];
  was_approved: number[];
  reviewed_at: Date | null;
  undone_at: Date | null;
}

/** A batch, locked: it is undone once. */
export async function lockBatchRow(tx: Tx, id: string): Promise<BatchRow | null> {
  const rows = await tx.$queryRaw<BatchRow[]>`
    SELECT id, decision, was_unreviewed, was_rejected, was_approved, reviewed_at, undone_at
      FROM review_batch WHERE id = ${id}::uuid FOR UPDATE`;
  return rows[0] ?? null;
}

export async function markBatchUndone(tx: Tx, id: string): Promise<void> {
  await tx.$executeRaw(
    Prisma.sql`UPDATE review_batch SET undone_at = clock_timestamp() WHERE id = ${id}::uuid`,
  );
}
