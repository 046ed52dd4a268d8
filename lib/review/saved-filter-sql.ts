import { Prisma, type Tx } from "#lib/db.ts";

export interface SavedFilterRow {
  id: number;
  member_id: number;
  name: string;
  filter: unknown;
  shared: boolean;
  owner: string;
  created_at: Date;
  updated_at: Date;
}

/** A member's own filters by name, then the shared ones of others. */
export async function savedFilterRows(tx: Tx, memberId: number): Promise<SavedFilterRow[]> {
  return tx.$queryRaw<SavedFilterRow[]>`
    SELECT f.id, f.member_id, f.name, f.filter, f.shared, m.name AS owner, f.created_at, f.updated_at
      FROM saved_filter f JOIN member m ON m.id = f.member_id
     WHERE f.member_id = ${memberId} OR f.shared
     ORDER BY (f.member_id = ${memberId}) DESC, f.name, f.id`;
}

/** Every member's filters, by whose they are. */
export async function everySavedFilterRow(
  tx: Tx,
): Promise<Omit<SavedFilterRow, "id" | "member_id" | "updated_at">[]> {
  return tx.$queryRaw`
    SELECT m.email AS owner, f.name, f.filter, f.shared, f.created_at
      FROM saved_filter f JOIN member m ON m.id = f.member_id ORDER BY f.member_id, f.name, f.id`;
}

/**
 * Keeps a filter by name in one statement: the unique index decides, not a look before. Null when the name is
 * taken and nothing is to be replaced.
 */
export async function saveFilterRow(
  tx: Tx,
  memberId: number,
  filter: { name: string; filter: object; shared: boolean; replace: boolean },
): Promise<{ id: number; created: boolean } | null> {
  const onConflict = filter.replace
    ? Prisma.sql`DO UPDATE SET filter = excluded.filter, shared = excluded.shared, updated_at = now()`
    : Prisma.sql`DO NOTHING`;
  // xmax is 0 on a row that this statement has inserted.
  const rows = await tx.$queryRaw<{ id: number; created: boolean }[]>`
    INSERT INTO saved_filter (member_id, name, filter, shared)
    VALUES (${memberId}, ${filter.name}, ${JSON.stringify(filter.filter)}::jsonb, ${filter.shared})
    ON CONFLICT (member_id, name) ${onConflict}
    RETURNING id, xmax = 0 AS created`;
  return rows[0] ?? null;
}
