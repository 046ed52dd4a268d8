/*
 * The metrics of GET /metrics. docs/monitoring/README.md lists them; a test compares the two. Names and labels are a promise:
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
const key = ["key", "name"] as const;

export const families = {
  sluice_build_info: processGauge("1, with the version.", "version", "node"),
  sluice_http_request_duration_seconds: of("histogram", "process")(
    "Answers by method, declared path and status.",
    "method",
    "route",
    "status",
  ),
  sluice_database_up: processGauge("1 when /readyz is 200: the database answers, can write and is migrated."),
  sluice_database_pool_connections: processGauge(
    "Connections of this process: used, idle and the limit.",
    "state",
  ),
  sluice_database_pool_waiting: processGauge("Statements of this process that wait for a connection."),
  sluice_disk_free_bytes: processGauge("Free space of the file system of DATA_DIR."),
  sluice_disk_size_bytes: processGauge("Size of the file system of DATA_DIR."),
  sluice_process_restarts_total: of("counter", "process")(
    "Processes started again after a death, since the start of the service.",
    "process",
  ),
  sluice_backup_last_success_timestamp_seconds: processGauge(
    "Time of the newest nightly backup; 0 for none.",
  ),
  sluice_backup_last_failure_timestamp_seconds: processGauge(
    "Time of the last failed nightly backup; 0 for none.",
  ),
  sluice_database_size_bytes: gauge("Size of the database."),
  sluice_posts: gauge("Stored posts by review.", "state"),
  sluice_posts_total: counter("Events of posts, of all time.", "event"),
  sluice_oldest_unreviewed_age_seconds: gauge("Age of the oldest unreviewed post, since it was published."),
  sluice_queue_posts: gauge("Posts of the queue by state.", "state"),
  sluice_queue_available: gauge("Pending posts that can be handed out now."),
  sluice_queue_held: gauge("Pending posts that are held, by the first reason.", "reason"),
  sluice_queue_kept_back: gauge("Pending posts that are kept back after refusals."),
  sluice_queue_runway_days: gauge(
    "Days until the queue is empty at the present pace; absent without a pace.",
  ),
  sluice_queue_oldest_pending_age_seconds: gauge("Time since the approval of the oldest pending post."),
  sluice_streams: gauge("Streams by state.", "state"),
  sluice_stream_state: gauge("1, with the state of the stream.", ...stream, "state"),
  sluice_stream_failures: gauge("Failed fetches since the last success.", ...stream),
  sluice_stream_last_success_timestamp_seconds: gauge(
    "Time of the last successful fetch, or of the stream's creation.",
    ...stream,
  ),
  sluice_key_posts_total: counter("Deliveries, errors, nacks and time-outs of a key.", ...key, "event"),
  sluice_key_last_use_timestamp_seconds: gauge(
    "Time of the last request of a key that received posts in the last 28 days.",
    ...key,
  ),
  sluice_worker_last_round_age_seconds: gauge("Time since a worker ended a round of background work."),
  sluice_job_runs_total: counter("Runs of a background job.", "job"),
  sluice_job_failures_total: counter("Failed runs of a background job.", "job"),
  sluice_job_seconds_total: counter("Duration of all runs of a background job.", "job"),
  sluice_job_last_run_timestamp_seconds: gauge("End of the last run of a background job.", "job"),
  sluice_hosts_waiting: gauge("Servers that are not asked now, by reason.", "reason"),
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
