/** In the preferences of its member, under `saved_filters`. */
export interface SavedFilter {
  name: string;
  /** As in the address. */
  query: string;
}

/** By name; invalid ones are left out. */
export function readSavedFilters({ saved_filters }: Record<string, unknown>): SavedFilter[] {
  if (!Array.isArray(saved_filters)) return [];
  return (saved_filters as unknown[])
    .filter((each): each is SavedFilter => {
      const { name, query } = (each ?? {}) as Record<string, unknown>;
      return typeof name === "string" && name !== "" && typeof query === "string";
    })
    .toSorted((a, b) => a.name.localeCompare(b.name));
}
