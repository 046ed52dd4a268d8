import type { Tx } from "#lib/base/db.ts";
import type { topical_tag } from "#prisma/generated/client.ts";

/** Null when the folded hashtag already has a rule. `id`: of a deleted rule that comes back. */
export async function insertTopicalTag(
  tx: Tx,
  rule: Pick<topical_tag, "hashtag" | "hashtag_folded" | "day_of_week" | "month_day"> & { id?: number },
): Promise<topical_tag | null> {
  const rows = await tx.$queryRaw<topical_tag[]>`
    INSERT INTO topical_tag (id, hashtag, hashtag_folded, day_of_week, month_day)
    VALUES (coalesce(${rule.id ?? null}::int, nextval(pg_get_serial_sequence('topical_tag', 'id'))), ${rule.hashtag}, ${rule.hashtag_folded}, ${rule.day_of_week}::smallint, ${rule.month_day})
    ON CONFLICT DO NOTHING
    RETURNING *`;
  return rows[0] ?? null;
}

/** Null when there is none. */
export async function lockTopicalTag(tx: Tx, id: number): Promise<topical_tag | null> {
  const rows = await tx.$queryRaw<topical_tag[]>`SELECT * FROM topical_tag WHERE id = ${id} FOR UPDATE`;
  return rows[0] ?? null;
}
