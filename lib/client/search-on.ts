import type { PostList } from "#lib/posts/schema.ts";

/**
 * What to change in the query of a list for what comes after a search that stopped (`searched_until`, or
 * `search_after` where time does not order); null when it did not. What was found before is behind it, so that much
 * less is skipped.
 */
export function searchOn(
  list: Pick<PostList, "searched_until" | "search_after" | "skip" | "total">,
  order: string | null,
): { since?: string; until?: string; search_after?: string; skip: string } | null {
  const skip = String(Math.max(0, list.skip - list.total));
  if (list.search_after !== undefined) return { search_after: list.search_after, skip };
  if (list.searched_until === undefined) return null;
  return order === "oldest" ? { since: list.searched_until, skip } : { until: list.searched_until, skip };
}

/** Where a search stopped: at a time, or behind a place. */
export type SearchStopped = Pick<PostList, "searched_until" | "search_after">;

/**
 * Where a search stopped, for words: the time, in milliseconds, and what orders before time does (the author, or how near
 * the AI was to not knowing), null where nothing does.
 */
export function stopOf({ searched_until, search_after }: SearchStopped): { at: number; key: string | null } {
  if (search_after === undefined) return { at: Date.parse(searched_until ?? ""), key: null };
  const [at, , ...key] = search_after.split("~");
  return { at: Number(at), key: key.length === 0 ? null : key.join("~") };
}
