import { metrics, type ListedMetric } from "#lib/stats/metrics-schema.ts";
import { withQuery, type QueryValue } from "./query-string.ts";

type Query = Record<string, QueryValue>;

/**
 * Link to the posts that a figure counts.
 *
 * @param range ISO times, both included
 * @param filters additional filters
 */
export function postsUrl(
  metric: ListedMetric,
  range: { since: string; until?: string },
  filters: Query = {},
): string {
  const { since, until } = range;
  return withQuery("/posts", { ...metrics[metric].posts, since, until, ...filters });
}

/** Filter: decided by people and API keys, not by a filter. */
export const peopleOnly = { auto_rejected: false } as const;

/** Filters for a line of the reviewers' table, which has one line for each API key of a member. */
export function reviewerFilter(line: {
  member_id: number | null;
  reviewer: string;
}): Record<string, string | number> {
  return { reviewer: line.member_id ?? 0, reviewed_by: line.reviewer };
}

/** Link to the posts that the actor of a history line decided. Null for filters and the service. */
export function actorDecisionsUrl(line: {
  member_id: number | null;
  actor: string;
  source: string;
}): string | null {
  if (line.source !== "screen" && line.source !== "api") return null;
  const key = line.source === "api" || line.member_id === null ? { reviewed_by: line.actor } : {};
  return decisionsUrl({ reviewer: line.member_id ?? 0, ...key });
}

/** Link to decided posts of all time, the latest decision first. */
export function decisionsUrl(filters: Query): string {
  return withQuery("/posts", { ...metrics.reviewed.posts, ...filters });
}
