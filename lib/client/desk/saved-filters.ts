/** A filter that a member saved under a name, in the preference `saved_filters`. */
export interface SavedFilter {
  name: string;
  /** The filter as a query string. */
  query: string;
}

/** Saved filters, sorted by name. Invalid ones are omitted. */
export function readSavedFilters({ saved_filters }: Record<string, unknown>): SavedFilter[] {
  if (!Array.isArray(saved_filters)) return [];
  return (saved_filters as unknown[])
    .filter((each): each is SavedFilter => {
      const { name, query } = (each ?? {}) as Record<string, unknown>;
      return typeof name === "string" && name !== "" && typeof query === "string";
    })
    .toSorted((a, b) => a.name.localeCompare(b.name));
}
