import { toIso } from "#lib/clock.ts";
import type { Principal } from "#lib/auth/principal.ts";
import { db } from "#lib/db.ts";
import type { SavedFilter } from "./saved-filter-schema.ts";
import { savedFilterRows, type SavedFilterRow } from "./saved-filter-sql.ts";

/** One's own filters by name, then what others share. A key sees what its maker sees. */
export async function listSavedFilters(principal: Principal): Promise<SavedFilter[]> {
  const rows = await savedFilterRows(db, principal.member_id);
  return rows.map((row) => serializeSavedFilter(row, principal));
}

export function serializeSavedFilter(row: SavedFilterRow, principal: Principal): SavedFilter {
  return {
    id: row.id,
    name: row.name,
    filter: row.filter as Record<string, unknown>,
    shared: row.shared,
    own: row.member_id === principal.member_id,
    owner: row.owner,
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
  };
}
