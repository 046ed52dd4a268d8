import { z } from "zod";
import { created, noContent, ok, operation, routes } from "#lib/http/route.ts";
import { deleteSavedFilter, listSavedFilters, saveFilter } from "#lib/review/saved-filters.ts";
import { SavedFilter, SavedFilterInput, SavedFilterName } from "#lib/review/saved-filter-schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/saved-filters", {
  GET: operation({
    id: "listSavedFilters",
    summary: "List saved filters",
    description: "The caller's filters by name, then filters shared by others.",
    tag: "Review",
    scope: "read",
    responses: { 200: z.array(SavedFilter) },
    handle: async ({ principal }) => ok(await listSavedFilters(principal)),
  }),
  POST: operation({
    id: "saveFilter",
    summary: "Save a filter",
    description: "The name is unique for each member. 200 when `replace` has overwritten a filter.",
    tag: "Review",
    scope: "review",
    body: SavedFilterInput,
    responses: { 200: SavedFilter, 201: SavedFilter },
    errors: ["saved_filter_exists"],
    handle: async ({ principal, body }) => {
      const saved = await saveFilter(principal, body);
      return saved.created ? created(saved.filter) : ok(saved.filter);
    },
  }),
  DELETE: operation({
    id: "deleteSavedFilter",
    summary: "Delete a saved filter",
    description: "The caller's filter by `name` or `id`; admins also shared filters of others.",
    tag: "Review",
    scope: "review",
    query: SavedFilterName,
    responses: { 204: null },
    errors: ["saved_filter_not_found"],
    handle: async ({ principal, query }) => {
      await deleteSavedFilter(principal, query);
      return noContent();
    },
  }),
});
