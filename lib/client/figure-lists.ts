import type { DayRange } from "#lib/stats/overview-schema.ts";
import { withQuery, type QueryValue } from "./query-string.ts";

type Query = Record<string, QueryValue>;

/** What the statistics count of a range, by the names of `GET /stats/overview`, as filters of `GET /posts`. */
const flows = {
  fetched: { happened: "fetched" },
  reviewed: { happened: "reviewed" },
  approved: { happened: "reviewed", approved: true },
  rejected: { happened: "reviewed", approved: false },
  delivered: { happened: "delivered" },
  errors: { happened: "errored" },
} as const;
export type Flow = keyof typeof flows;

/**
 * Address of the list behind a figure of a range of UTC days. Times are kept in milliseconds and both ends of a list are
 * included, so the last one of a day is followed by the first one of the next.
 * @param narrow filters beside the range: a stream, a reviewer, a reason
 */
export function figureList(flow: Flow, range: DayRange, narrow: Query = {}): string {
  return withQuery("/posts", {
    ...flows[flow],
    since: `${range.from}T00:00:00.000Z`,
    until: `${range.to}T23:59:59.999Z`,
    ...narrow,
  });
}

/** Narrows to what people decided, and keys: filters are nobody's work. */
export const byPeople = { auto_rejected: false } as const;

/** Narrows to one line of reviewers: a member may have several, under names of their keys. */
export function byReviewer(line: {
  member_id: number | null;
  reviewer: string;
}): Record<string, string | number> {
  return { reviewer: line.member_id ?? 0, reviewed_by: line.reviewer };
}

/** The posts that waited longer than a percentile says; null where nothing waited. */
export function waitList(
  kind: "review" | "delivery",
  range: DayRange,
  seconds: number | null,
  narrow: Query = {},
): string | null {
  if (seconds === null) return null;
  const atLeast = Math.floor(seconds);
  return kind === "review"
    ? figureList("reviewed", range, { ...byPeople, ...narrow, waited_for_review: atLeast })
    : figureList("delivered", range, { ...narrow, waited_for_delivery: atLeast });
}
