import { readBackupStatus } from "#lib/base/backup-status.ts";
import { ApiError } from "#lib/base/errors.ts";
import { checkReadiness, checkWorker } from "#lib/base/http/health.ts";
import { measurements } from "#lib/base/http/measure.ts";
import { queueSupply } from "#lib/queue/queue-overview.ts";
import { getStats } from "./get-stats.ts";
import { describeSamples, type Samples } from "./families.ts";
import { jobRuns } from "./job-runs.ts";
import { keyRows, oldestReadyAge, streamRows } from "./metrics-sql.ts";

/** Streams and keys with series of their own, lowest ids first. */
const LISTED = 500;

/** Prometheus' text format. Without the database, the metrics of the process only. */
export async function readMetrics(): Promise<string> {
  const database = await databaseState();
  const samples: Samples = {
    sluice_database_up: [[database === "ready" ? 1 : 0]],
    ...(database === "away" ? {} : await databaseSamples()),
  };
  return (await measurements()) + describeSamples(samples);
}

/** An older database may lack tables, so it counts as away. */
async function databaseState(): Promise<"ready" | "unwritable" | "away"> {
  try {
    await checkReadiness();
    return "ready";
  } catch (error) {
    return error instanceof ApiError && error.code === "database_unwritable" ? "unwritable" : "away";
  }
}

async function databaseSamples(): Promise<Samples> {
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
  return {
    sluice_posts_total: Object.entries(stats.all_time),
    sluice_queue_posts: Object.entries({
      ready: supply.available,
      held: Math.max(0, pending - supply.available),
      ...others,
    }),
    sluice_queue_oldest_ready_age_seconds: oldest === null ? [] : [[oldest]],
    sluice_stream_failures: fetches.map((row) => [row.id, row.hashtag, row.instance, row.failures]),
    sluice_stream_last_success_timestamp_seconds: fetches.map((row) => [
      row.id,
      row.hashtag,
      row.instance,
      row.last_success,
    ]),
    sluice_key_posts_total: keys.map(({ id, name, event, n }) => [id, name, event, n]),
    sluice_worker_last_round_age_seconds: [[worker.last_round_age_seconds]],
    sluice_backup_last_success_timestamp_seconds:
      backup === null ? [] : [[Date.parse(backup.success?.at ?? new Date(0).toISOString()) / 1000]],
    sluice_job_failures_total: Object.entries(jobs).map(([job, { failures }]) => [job, failures]),
    sluice_job_last_run_timestamp_seconds: Object.entries(jobs).map(([job, { last_run_at }]) => [
      job,
      last_run_at.getTime() / 1000,
    ]),
  };
}
