import { metrics, type ListedMetric } from "#lib/stats/metrics-schema.ts";
import type { DayRange } from "#lib/stats/overview-schema.ts";
import { withQuery, type QueryValue } from "./query-string.ts";

type Query = Record<string, QueryValue>;

/**
 * Posts behind a figure of a range of UTC days, both included.
 *
 * @param narrow additional filters
 */
export function figureList(metric: ListedMetric, range: DayRange, narrow: Query = {}): string {
  return withQuery("/posts", {
    ...metrics[metric].posts,
    since: `${range.from}T00:00:00.000Z`,
    until: `${range.to}T23:59:59.999Z`,
    ...narrow,
  });
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

/** Posts that waited at least `seconds`; null if no post waited that long. */
export function waitList(
  kind: "review" | "delivery",
  range: DayRange,
  seconds: number | null,
  narrow: Query = {},
): string | null {
  if (seconds === null) return null;
  const atLeast = Math.floor(seconds);
  return kind === "review"
    ? figureList("decided", range, { ...narrow, waited_for_review: atLeast })
    : figureList("delivered", range, { ...narrow, waited_for_delivery: atLeast });
}
