/*
 * The metrics of GET /metrics. docs/monitoring/README.md lists them. Names and labels are a promise:
 * alerts and dashboards of operators use them.
 */

export interface Family {
  type: "gauge" | "counter" | "histogram";
  help: string;
  labels: readonly string[];
  /** `database`: absent while the database is away, and the same in every process. */
  source: "process" | "database";
}

const of =
  (type: Family["type"], source: Family["source"]) =>
  <const L extends readonly string[]>(help: string, ...labels: L) =>
    ({ type, source, help, labels }) as const;

const processGauge = of("gauge", "process");
const gauge = of("gauge", "database");
const counter = of("counter", "database");
const stream = ["stream", "hashtag", "instance"] as const;

export const families = {
  sluice_http_request_duration_seconds: of("histogram", "process")(
    "Answers by method, declared path and status.",
    "method",
    "route",
    "status",
  ),
  sluice_database_up: processGauge("1 when /readyz is 200: the database answers, can write and is migrated."),
  sluice_backup_last_success_timestamp_seconds: processGauge(
    "Time of the newest nightly backup; 0 for none.",
  ),
  sluice_posts_total: counter("Events of posts, of all time.", "event"),
  sluice_queue_posts: gauge(
    "Posts of the queue: ready, held (also kept back after refusals), reserved, delivered, error.",
    "state",
  ),
  sluice_queue_oldest_ready_age_seconds: gauge(
    "Time since the approval of the oldest post that can be handed out; absent without one.",
  ),
  sluice_stream_failures: gauge("Failed fetches since the last success.", ...stream),
  sluice_stream_last_success_timestamp_seconds: gauge(
    "Time of the last successful fetch, or of the stream's creation.",
    ...stream,
  ),
  sluice_key_posts_total: counter(
    "Posts of a key: delivered, errors, nacks, timeouts.",
    "key",
    "name",
    "event",
  ),
  sluice_worker_last_round_age_seconds: gauge("Time since a worker ended a round of background work."),
  sluice_job_failures_total: counter("Failed runs of a background job.", "job"),
  sluice_job_last_run_timestamp_seconds: gauge("End of the last run of a background job.", "job"),
} as const satisfies Record<string, Family>;

export type FamilyName = keyof typeof families;

/** Label values in the order of the family's labels, then the value. */
export type Sample = readonly [...labels: (string | number)[], value: number];
export type Samples = Partial<Record<FamilyName, readonly Sample[]>>;

/** Prometheus' text format (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format). */
export function describeSamples(samples: Samples): string {
  return (Object.entries(samples) as [FamilyName, readonly Sample[]][])
    .filter(([, rows]) => rows.length > 0)
    .map(([name, rows]) => {
      const { type, help, labels } = families[name];
      const lines = rows.map((row) => {
        const pairs = labels.map((label, i) => `${label}="${escaped(String(row[i]))}"`);
        return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${row.at(-1)}\n`;
      });
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
    })
    .join("");
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
