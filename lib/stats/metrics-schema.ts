import type { Prisma } from "#prisma/generated/client.ts";

/*
 * Queries, schemas, CSV and screens follow from this table. metrics-schema.test.ts fails to compile when a table
 * lacks a column, the screens when components/words lacks a label.
 */

type Section =
  /** `all_time` of `GET /stats`, and `GET /metrics`. */
  | "all_time"
  /** `GET /stats/daily`. */
  | "day"
  /** The row of figures on the statistics page. */
  | "range"
  /** Lines of `GET /stats/overview`. */
  | "stream"
  | "instance"
  | "reviewer";

interface Definition {
  column: Exclude<Prisma.Counter_dayScalarFieldEnum, "day" | "stream_id">;
  shownIn: readonly Section[];
  /** Filter of `GET /posts` for the counted posts, or null. */
  posts: Readonly<Record<string, string | boolean>> | null;
}

/** By the time of the event; kept when posts are deleted. */
export const metrics = {
  fetched: {
    column: "fetched",
    shownIn: ["all_time", "day", "range", "stream", "instance"],
    posts: { happened: "fetched" },
  },
  /** At the time of the present review: a changed review moves it, an undo removes it. */
  reviewed: {
    column: "reviews",
    shownIn: ["day", "range", "stream", "instance", "reviewer"],
    posts: { happened: "reviewed" },
  },
  approved: {
    column: "approvals",
    shownIn: ["all_time", "day", "range", "stream", "instance", "reviewer"],
    posts: { happened: "reviewed", approved: true },
  },
  rejected: {
    column: "rejections",
    shownIn: ["all_time", "day"],
    posts: { happened: "reviewed", approved: false },
  },
  auto_rejected: { column: "auto_rejected", shownIn: ["all_time"], posts: null },
  delivered: {
    column: "deliveries",
    shownIn: ["all_time", "day", "range", "stream", "instance"],
    posts: { happened: "delivered" },
  },
  errors: {
    column: "errors",
    shownIn: ["all_time", "day", "range", "stream"],
    posts: { happened: "errored" },
  },
  nacks: { column: "nacks", shownIn: [], posts: null },
  timeouts: { column: "timeouts", shownIn: [], posts: null },
  /** Deleted because the queue was too long. */
  trimmed: { column: "trimmed", shownIn: ["all_time"], posts: null },
} as const satisfies Record<string, Definition>;

export type Metric = keyof typeof metrics;

export type MetricOf<S extends Section> = {
  [M in Metric]: S extends (typeof metrics)[M]["shownIn"][number] ? M : never;
}[Metric];

export type ListedMetric = {
  [M in Metric]: (typeof metrics)[M]["posts"] extends null ? never : M;
}[Metric];

export const allMetrics = Object.keys(metrics) as Metric[];

/** In the order of `metrics`. */
export function metricsOf<S extends Section>(section: S): MetricOf<S>[] {
  return allMetrics.filter((metric): metric is MetricOf<S> =>
    (metrics[metric].shownIn as readonly Section[]).includes(section),
  );
}

export function pick<M extends string>(
  row: Readonly<Record<M, number>>,
  names: readonly M[],
): Record<M, number> {
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Record<M, number>;
}

/** Percent with two decimals; 0 when `whole` is 0. */
export function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
}

/** Decisions of members and API keys. */
export function decidedOf(row: { reviewed: number; auto_rejected: number }): number {
  return row.reviewed - row.auto_rejected;
}
