import { Prisma, type Tx } from "#lib/db.ts";
import type { BlockChange } from "#lib/filters/block-changes.ts";
import { isRenamed, renamed, type HandleChange } from "#lib/hosts/handle-changes.ts";

const column = Prisma.sql`author_key`;

/** An open report outranks a decided one of the new handle. */
export async function copyOptOuts(tx: Tx, change: HandleChange): Promise<BlockChange[]> {
  const rows = await tx.$queryRaw<{ author_key: string }[]>`
    INSERT INTO reported_opt_out AS o (author_key, reason, post_id, reported_at, resolved_at, resolution)
    SELECT ${renamed(column, change)}, reason, post_id, reported_at, resolved_at, resolution FROM reported_opt_out
     WHERE ${isRenamed(column, change)} ORDER BY 1
    ON CONFLICT (author_key) DO UPDATE
      SET reason = excluded.reason, post_id = excluded.post_id, reported_at = excluded.reported_at,
          resolved_at = NULL, resolution = NULL
      WHERE o.resolved_at IS NOT NULL AND excluded.resolved_at IS NULL
    RETURNING author_key`;
  return holdsOf(rows.map((row) => row.author_key));
}

/** Renamed queue entries of authors with an open report must be held. */
export async function holdRenamed(tx: Tx, authorKeys: string[]): Promise<BlockChange[]> {
  const rows = await tx.reported_opt_out.findMany({
    where: { author_key: { in: authorKeys }, resolved_at: null },
    select: { author_key: true },
  });
  return holdsOf(rows.map((row) => row.author_key));
}

export async function dropOldOptOuts(tx: Tx, change: HandleChange): Promise<void> {
  await tx.$executeRaw`DELETE FROM reported_opt_out WHERE ${isRenamed(column, change)}`;
}

function holdsOf(patterns: string[]): BlockChange[] {
  return patterns.length === 0 ? [] : [{ kind: "opt_out", pattern_type: "exact", patterns }];
}
