import type { PostList } from "#lib/posts/schema.ts";

/**
 * What to change in the query of a list for what comes after a search that stopped (`searched_until`); null when it
 * did not. What was found before is behind it, so that much less is skipped.
 */
export function searchOn(
  list: Pick<PostList, "searched_until" | "skip" | "total">,
  order: string | null,
): { since?: string; until?: string; skip: string } | null {
  if (list.searched_until === undefined) return null;
  const skip = String(Math.max(0, list.skip - list.total));
  return order === "oldest" ? { since: list.searched_until, skip } : { until: list.searched_until, skip };
}
