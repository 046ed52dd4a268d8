import { toIso } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import { everySavedFilterRow } from "./saved-filter-sql.ts";
import type { Standing } from "./author-schema.ts";
import type { SavedFilter } from "./saved-filter-schema.ts";

export interface DeskExport {
  saved_filters: Pick<SavedFilter, "owner" | "name" | "filter" | "shared" | "created_at">[];
  author_standings: { account: string; standing: Standing; set_by: string; set_at: string }[];
}

/** Every member's saved filters, owners by e-mail address, and every author's standing. */
export async function exportDesk(): Promise<DeskExport> {
  const [filters, standings] = await Promise.all([
    everySavedFilterRow(db),
    db.author_standing.findMany({ orderBy: { author_key: "asc" } }),
  ]);
  return {
    saved_filters: filters.map(({ owner, name, filter, shared, created_at }) => ({
      owner,
      name,
      filter: filter as Record<string, unknown>,
      shared,
      created_at: toIso(created_at),
    })),
    author_standings: standings.map(({ author_key, standing, set_by, set_at }) => ({
      account: `@${author_key}`,
      standing: standing as Standing,
      set_by,
      set_at: toIso(set_at),
    })),
  };
}
