import { readBackupStatus } from "#lib/backup-status.ts";
import { poolUse } from "#lib/db.ts";
import { diskSpace } from "#lib/disk-space.ts";
import { ApiError } from "#lib/errors.ts";
import { checkReadiness, checkWorker } from "#lib/http/health.ts";
import { measurements } from "#lib/http/measure.ts";
import { readRestarts } from "#lib/process-restarts.ts";
import { queueSupply } from "#lib/queue/queue-overview.ts";
import { getStats } from "#lib/stats/get-stats.ts";
import { listConsumingKeys } from "#lib/stats/team-pace.ts";
import { listStreams } from "#lib/streams/read-streams.ts";
import packageJson from "../../package.json" with { type: "json" };
import { describeSamples, type Sample, type Samples } from "./families.ts";
import { countRows, jobRows, keyRows, stateRow, streamRows } from "./sql.ts";

/** Streams and keys with series of their own, lowest ids first. */
const LISTED = 500;

/** Prometheus' text format. Without the database, the metrics of the process only. */
export async function readMetrics(): Promise<string> {
  const database = await databaseState();
  const samples: Samples = {
    ...processSamples(),
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

function processSamples(): Samples {
  const backups = readBackupStatus();
  const { used, idle, limit, waiting } = poolUse();
  const seconds = (event: { at: string } | null): Sample[] => [
    [event === null ? 0 : Date.parse(event.at) / 1000],
  ];
  return {
    sluice_build_info: [[packageJson.version, process.version, 1]],
    sluice_database_pool_connections: [
      ["used", used],
      ["idle", idle],
      ["limit", limit],
    ],
    sluice_database_pool_waiting: [[waiting]],
    ...diskSamples(),
    sluice_process_restarts_total: Object.entries({ web: 0, worker: 0, ...readRestarts() }),
    ...(backups === null
      ? {}
      : {
          sluice_backup_last_success_timestamp_seconds: seconds(backups.success),
          sluice_backup_last_failure_timestamp_seconds: seconds(backups.failure),
        }),
  };
}

function diskSamples(): Samples {
  const disk = diskSpace();
  if (disk === null) return {};
  return { sluice_disk_free_bytes: [[disk.free]], sluice_disk_size_bytes: [[disk.size]] };
}

async function databaseSamples(): Promise<Samples> {
  const [stats, supply, worker, state, streams, fetches, keys, consuming, jobs, counts] = await Promise.all([
    getStats(),
    queueSupply(),
    checkWorker(),
    stateRow(),
    listStreams({ active: true, skip: 0, limit: LISTED }),
    streamRows(LISTED),
    keyRows(LISTED),
    listConsumingKeys(),
    jobRows(),
    countRows(),
  ]);
  const { approved_posts: approved, rejected_posts: rejected, unreviewed_posts: unreviewed } = stats;
  return {
    sluice_database_size_bytes: [[state.database_bytes]],
    sluice_posts: Object.entries({ approved, rejected, unreviewed }),
    sluice_posts_total: Object.entries(stats.all_time),
    sluice_oldest_unreviewed_age_seconds: optional(state.oldest_unreviewed),
    sluice_queue_posts: Object.entries(stats.queue_status),
    sluice_queue_available: [[supply.available]],
    sluice_queue_held: supply.held.map(({ reason, count }) => [reason, count]),
    sluice_queue_kept_back: [[supply.kept_back]],
    sluice_queue_runway_days: optional(supply.runway_days),
    sluice_queue_oldest_pending_age_seconds: optional(state.oldest_pending),
    sluice_streams: [
      ["active", stats.active_streams],
      ["paused", stats.total_streams - stats.active_streams],
    ],
    sluice_stream_state: streams.items.map((each) => [each.id, each.hashtag, each.instance, each.state, 1]),
    sluice_stream_failures: fetches.map((row) => [row.id, row.hashtag, row.instance, row.failures]),
    sluice_stream_last_success_timestamp_seconds: fetches.map((row) => [
      row.id,
      row.hashtag,
      row.instance,
      row.last_success,
    ]),
    sluice_key_posts_total: keys.flatMap(({ id, name, delivered, errors, nacks, timeouts }) =>
      Object.entries({ delivered, errors, nacks, timeouts }).map(([event, n]): Sample => [
        id,
        name,
        event,
        n,
      ]),
    ),
    sluice_key_last_use_timestamp_seconds: keys.flatMap(({ id, name, last_use }) =>
      last_use === null || !consuming.includes(id) ? [] : [[id, name, last_use] as const],
    ),
    sluice_worker_last_round_age_seconds: [[worker.last_round_age_seconds]],
    sluice_job_runs_total: jobs.map((row) => [row.job, row.runs]),
    sluice_job_failures_total: jobs.map((row) => [row.job, row.failures]),
    sluice_job_seconds_total: jobs.map((row) => [row.job, row.seconds]),
    sluice_job_last_run_timestamp_seconds: jobs.map((row) => [row.job, row.last_run]),
    sluice_hosts_waiting: counts.map((row) => [row.state, row.n]),
  };
}

function optional(value: number | null): Sample[] {
  return value === null ? [] : [[value]];
}
