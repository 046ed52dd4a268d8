import { Counter, Gauge, Registry } from "prom-client";
import { readBackupStatus } from "#lib/base/backup-status.ts";
import { ApiError } from "#lib/base/errors.ts";
import { checkReadiness, checkWorker } from "#lib/base/http/health.ts";
import { measurements } from "#lib/base/http/measure.ts";
import { queueSupply } from "#lib/queue/queue-overview.ts";
import { getStats } from "./get-stats.ts";
import { jobRuns } from "./job-runs.ts";
import { keyRows, oldestReadyAge, streamRows } from "./metrics-sql.ts";

/*
 * docs/monitoring/README.md lists the metrics. Names and labels are a promise: alerts and dashboards of operators use them.
 */

/** Streams and keys with series of their own, lowest ids first. */
const LISTED = 500;

/** `GET /metrics`, in Prometheus' text format. Without the database, only the metrics of this process. */
export async function readMetrics(): Promise<string> {
  const registry = new Registry();
  const database = await databaseState();
  const help = "1 when /readyz is 200: the database answers, can write and is migrated.";
  add(registry, Gauge, "sluice_database_up", help, [[{}, database === "ready" ? 1 : 0]]);
  if (database !== "away") await addDatabase(registry);
  return (await measurements()) + (await registry.metrics());
}

/** State of the database. One with older migrations may lack tables, so it counts as away. */
async function databaseState(): Promise<"ready" | "unwritable" | "away"> {
  try {
    await checkReadiness();
    return "ready";
  } catch (error) {
    return error instanceof ApiError && error.code === "database_unwritable" ? "unwritable" : "away";
  }
}

type Series = [labels: Record<string, string | number>, value: number];

/** Adds a metric. Without series the metric is absent. */
function add(
  registry: Registry,
  Kind: typeof Counter | typeof Gauge,
  name: string,
  help: string,
  series: Series[],
): void {
  const [first] = series;
  if (first === undefined) return;
  const metric = new Kind({ name, help, labelNames: Object.keys(first[0]), registers: [registry] });
  for (const [labels, value] of series) metric.inc(labels, value);
}

async function addDatabase(registry: Registry): Promise<void> {
  const [stats, supply, worker, oldest, fetches, keys, jobs, backup] = await Promise.all([
    getStats(),
    queueSupply(),
    checkWorker(),
    oldestReadyAge(),
    streamRows(LISTED),
    keyRows(LISTED),
    jobRuns.read(),
    readBackupStatus(),
  ]);
  const { pending, ...others } = supply.counts;
  const states = { ready: supply.available, held: Math.max(0, pending - supply.available), ...others };
  const streams = fetches.map(({ id, hashtag, instance, ...row }) => ({
    labels: { stream: id, hashtag, instance },
    ...row,
  }));
  const gauge = (name: string, help: string, series: Series[]) => add(registry, Gauge, name, help, series);
  const counter = (name: string, help: string, series: Series[]) =>
    add(registry, Counter, name, help, series);

  counter(
    "sluice_posts_total",
    "Events of posts, of all time.",
    Object.entries(stats.all_time).map(([event, n]) => [{ event }, n]),
  );
  gauge(
    "sluice_queue_posts",
    "Posts of the queue: ready, held (also kept back after refusals), reserved, delivered, error.",
    Object.entries(states).map(([state, n]) => [{ state }, n]),
  );
  gauge(
    "sluice_queue_oldest_ready_age_seconds",
    "Time since the approval of the oldest post that can be handed out; absent without one.",
    oldest === null ? [] : [[{}, oldest]],
  );
  gauge(
    "sluice_stream_failures",
    "Failed fetches since the last success.",
    streams.map(({ labels, failures }) => [labels, failures]),
  );
  gauge(
    "sluice_stream_last_success_timestamp_seconds",
    "Time of the last successful fetch, or of the stream's creation.",
    streams.map(({ labels, last_success }) => [labels, last_success]),
  );
  counter(
    "sluice_key_posts_total",
    "Posts of a key: delivered, errors, nacks, timeouts.",
    keys.map(({ id, name, event, n }) => [{ key: id, name, event }, n]),
  );
  gauge("sluice_worker_last_round_age_seconds", "Time since a worker ended a round of background work.", [
    [{}, worker.last_round_age_seconds],
  ]);
  gauge(
    "sluice_backup_last_success_timestamp_seconds",
    "Time of the newest nightly backup; 0 for none.",
    backup === null ? [] : [[{}, backup.success === null ? 0 : Date.parse(backup.success.at) / 1000]],
  );
  counter(
    "sluice_job_failures_total",
    "Failed runs of a background job.",
    Object.entries(jobs).map(([job, { failures }]) => [{ job }, failures]),
  );
  gauge(
    "sluice_job_last_run_timestamp_seconds",
    "End of the last run of a background job.",
    Object.entries(jobs).map(([job, { last_run_at }]) => [{ job }, last_run_at.getTime() / 1000]),
  );
}
