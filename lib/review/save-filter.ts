import type { Principal } from "#lib/auth/principal.ts";
import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { serializeSavedFilter } from "./list-saved-filters.ts";
import { savedFilterRows, saveFilterRow } from "./saved-filter-sql.ts";
import type { SavedFilter, SavedFilterInput } from "./saved-filter-schema.ts";

/**
 * Keeps a filter under a name of one's own.
 * @returns the filter, and whether it is new
 * @throws saved_filter_exists, unless it is to be replaced
 */
export async function saveFilter(
  principal: Principal,
  input: SavedFilterInput,
): Promise<{ filter: SavedFilter; created: boolean }> {
  const name = input.name.trim();
  const saved = await saveFilterRow(db, principal.member_id, { ...input, name });
  if (!saved) throw new ApiError("saved_filter_exists", { name });
  const row = (await savedFilterRows(db, principal.member_id)).find((each) => each.id === saved.id);
  if (!row) throw new ApiError("saved_filter_not_found");
  return { filter: serializeSavedFilter(row, principal), created: saved.created };
}
