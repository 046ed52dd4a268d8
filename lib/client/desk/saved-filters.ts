import { readFilters, type Filters } from "./post-filters.ts";

/** In the preferences of its member, under `saved_filters`. */
export interface SavedFilter {
  name: string;
  filter: Filters;
}

export const MAX_NAME = 80;

/** By name; invalid ones are left out. */
export function readSavedFilters({ saved_filters }: Record<string, unknown>): SavedFilter[] {
  if (!Array.isArray(saved_filters)) return [];
  const filters = (saved_filters as unknown[]).flatMap((each): SavedFilter[] => {
    const { name, filter } = (each ?? {}) as { name?: unknown; filter?: unknown };
    if (typeof name !== "string" || name === "" || typeof filter !== "object" || filter === null) return [];
    const entries = Object.entries(filter).map(([key, value]) => [key, String(value)]);
    return [{ name, filter: readFilters(new URLSearchParams(entries)) }];
  });
  return filters.sort((a, b) => a.name.localeCompare(b.name));
}

/** The list with a filter, in place of another one of that name. */
export function withSavedFilter(saved: readonly SavedFilter[], filter: SavedFilter): SavedFilter[] {
  return readSavedFilters({ saved_filters: [...withoutSavedFilter(saved, filter.name), filter] });
}

export function withoutSavedFilter(saved: readonly SavedFilter[], name: string): SavedFilter[] {
  return saved.filter((each) => each.name !== name);
}
