import { wholeNumber } from "#lib/client/query-string.ts";
import { deckFilters, readFilters, withState, writeFilters, type Filters } from "./post-filters.ts";

/** The grid of unreviewed posts, or the list of all. */
export type ListPlace = "review" | "posts";

const pageSizes: Record<ListPlace, number> = { review: 48, posts: 50 };

export interface ListRequest {
  filters: Filters;
  skip: number;
  limit: number;
  query: string;
}

/** Invalid page numbers count as the first page. */
export function readListRequest(params: URLSearchParams, place: ListPlace): ListRequest {
  const given = readFilters(params);
  const filters = place === "review" ? withState(deckFilters(given), "unreviewed") : given;
  const skip = wholeNumber(params.get("skip")) ?? 0;
  const limit = pageSizes[place];
  const query = new URLSearchParams(writeFilters(filters));
  // The API's default is newest first.
  if (filters.order === undefined && place === "review") query.set("order", "oldest");
  query.set("skip", String(skip));
  query.set("limit", String(limit));
  return { filters, skip, limit, query: query.toString() };
}

/** Ids between two posts, both included, in either direction. */
export function rangeBetween(ids: readonly number[], from: number, to: number): number[] {
  const [a, b] = [ids.indexOf(from), ids.indexOf(to)];
  return a < 0 || b < 0 ? [to] : ids.slice(Math.min(a, b), Math.max(a, b) + 1);
}

/** Search parameters of a page. The last of repeated values counts. */
export function paramsOf(search: Record<string, string | string[] | undefined>): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last !== undefined) params.set(name, last);
  }
  return params;
}
