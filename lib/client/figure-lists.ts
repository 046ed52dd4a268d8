import { metrics, type ListedMetric } from "#lib/stats/metrics-schema.ts";
import { withQuery, type QueryValue } from "./query-string.ts";

type Query = Record<string, QueryValue>;

/**
 * Posts behind a figure.
 *
 * @param range ISO times, both included
 * @param narrow additional filters
 */
export function figureList(
  metric: ListedMetric,
  range: { since: string; until?: string },
  narrow: Query = {},
): string {
  const { since, until } = range;
  return withQuery("/posts", { ...metrics[metric].posts, since, until, ...narrow });
}

/** By people and API keys only. */
export const byPeople = { auto_rejected: false } as const;

/** A member has one line for each API key. */
export function byReviewer(line: {
  member_id: number | null;
  reviewer: string;
}): Record<string, string | number> {
  return { reviewer: line.member_id ?? 0, reviewed_by: line.reviewer };
}

/** Posts that a member decided, also through keys, or that a key decided; null for filters and the service. */
export function decisionsBy(line: {
  member_id: number | null;
  actor: string;
  source: string;
}): string | null {
  if (line.source !== "screen" && line.source !== "api") return null;
  const key = line.source === "api" || line.member_id === null ? { reviewed_by: line.actor } : {};
  return decisionList({ reviewer: line.member_id ?? 0, ...key });
}

/** Of all time, the latest decision first. */
export function decisionList(narrow: Query): string {
  return withQuery("/posts", { ...metrics.reviewed.posts, ...narrow });
}
