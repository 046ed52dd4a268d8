/*
 * Queries, schemas and screens follow from the table `metrics`. The screens fail to compile when components/words lacks a
 * label. The events are those of tally_of() (prisma/functions/tally.sql).
 */

type Section =
  /** `all_time` of `GET /stats`, and `GET /metrics`. */
  | "all_time"
  /** `days` and `totals` of `GET /stats/overview`. */
  | "day"
  /** Lines of `GET /stats/overview`. */
  | "stream"
  | "instance"
  | "reviewer";

interface Definition {
  /** Events of the tally that are added up. */
  events: readonly string[];
  shownIn: readonly Section[];
  /** Filter of `GET /posts` for the counted posts, or null. */
  posts: Readonly<Record<string, string | boolean>> | null;
}

/** Figures that count events by their time. They keep deleted posts. */
export const metrics = {
  fetched: {
    events: ["fetched"],
    shownIn: ["all_time", "day", "stream", "instance"],
    posts: { happened: "fetched" },
  },
  /** Counts at the time of the standing review: a changed review moves it, an undo removes it. */
  reviewed: {
    events: ["approved", "rejected", "auto_rejected"],
    shownIn: ["day"],
    posts: { happened: "reviewed" },
  },
  /** By members and API keys. */
  decided: {
    events: ["approved", "rejected"],
    shownIn: ["day", "stream", "instance", "reviewer"],
    posts: { happened: "reviewed", auto_rejected: false },
  },
  approved: {
    events: ["approved"],
    shownIn: ["all_time", "day", "stream", "instance", "reviewer"],
    posts: { happened: "reviewed", approved: true },
  },
  rejected: {
    events: ["rejected", "auto_rejected"],
    shownIn: ["all_time", "day"],
    posts: { happened: "reviewed", approved: false },
  },
  /** By filters, blocks and switches, at a fetch or later. */
  auto_rejected: {
    events: ["auto_rejected"],
    shownIn: ["all_time", "day"],
    posts: { happened: "reviewed", auto_rejected: true },
  },
  delivered: {
    events: ["delivered"],
    shownIn: ["all_time", "day", "stream", "instance"],
    posts: { happened: "delivered" },
  },
  errors: {
    events: ["errors"],
    shownIn: ["all_time", "day", "stream"],
    posts: { happened: "errored" },
  },
  /** Deleted because the queue was too long. */
  trimmed: { events: ["trimmed"], shownIn: ["all_time"], posts: null },
} as const satisfies Record<string, Definition>;

export type Metric = keyof typeof metrics;

export type MetricOf<S extends Section> = {
  [M in Metric]: S extends (typeof metrics)[M]["shownIn"][number] ? M : never;
}[Metric];

export type ListedMetric = {
  [M in Metric]: (typeof metrics)[M]["posts"] extends null ? never : M;
}[Metric];

const allMetrics = Object.keys(metrics) as Metric[];

/** Metrics of a section, in the order of `metrics`. */
export function metricsOf<S extends Section>(section: S): MetricOf<S>[] {
  return allMetrics.filter((metric): metric is MetricOf<S> =>
    (metrics[metric].shownIn as readonly Section[]).includes(section),
  );
}

/** Percent with two decimals; 0 when `whole` is 0. */
export function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
}

/** Fetched posts that no filter rejected. A block that is set later rejects posts of earlier days, too. */
export function arrivalsOf({ fetched, auto_rejected }: { fetched: number; auto_rejected: number }): number {
  return Math.max(0, fetched - auto_rejected);
}
