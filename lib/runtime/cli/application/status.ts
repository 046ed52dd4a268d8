import { readBackupStatus } from "#lib/base/backup-status.ts";
import { ApiError } from "#lib/base/errors.ts";
import { checkReadiness, checkWorker } from "#lib/base/http/health.ts";
import { listStreams } from "#lib/collect/read-streams.ts";
import { queueSupply } from "#lib/queue/queue-overview.ts";
import packageJson from "../../../../package.json" with { type: "json" };
import type { Reply } from "./commands.ts";

const MAX_STREAMS = 1_000;

export async function status(): Promise<Reply> {
  const database = await checkReadiness().then(
    () => "ready",
    (error: unknown) => {
      if (error instanceof ApiError) return error.code;
      throw error;
    },
  );
  const [worker, supply, { items: streams }] = await Promise.all([
    checkWorker(),
    queueSupply(),
    listStreams({ skip: 0, limit: MAX_STREAMS }),
  ]);
  const states = Map.groupBy(streams, (stream) => stream.state);
  const counts = Object.fromEntries([...states].map(([state, { length }]) => [state, length]));
  const { version } = packageJson;
  const age = worker.last_round_age_seconds;
  const backup = readBackupStatus();
  const queue = supply.counts;
  return {
    data: {
      version,
      database,
      worker: { last_round_age_seconds: age },
      streams: counts,
      queue: supply,
      backup,
    },
    lines: [
      `Sluice ${version}`,
      `Database: ${database}`,
      `Worker: last round ${age} s ago`,
      `Streams: ${Object.entries(counts)
        .map(([state, count]) => `${count} ${state.replaceAll("_", " ")}`)
        .join(", ")}`.replace(/: $/, ": none"),
      ...streams
        .filter((stream) => stream.state === "failing")
        .map((stream) => `  #${stream.hashtag} on ${stream.instance}: ${stream.last_error ?? "fails"}`),
      `Queue: ${queue.pending} pending, ${queue.reserved} reserved, ${queue.error} failed; ${supply.available} can be handed out now`,
      `Deliveries a day: ${supply.deliveries_per_day}; lasts ${supply.runway_days ?? "unknown"} days`,
      `Nightly backup: ${backup === null ? "off" : (backup.success?.at ?? "none yet")}`,
    ],
    isFailure: database !== "ready",
  };
}
