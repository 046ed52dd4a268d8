import { setTimeout as sleep } from "node:timers/promises";
import { disconnectDb } from "#lib/base/db.ts";
import { log } from "#lib/base/log.ts";
import { announceBackups, backUpWhenDue } from "#lib/runtime/backup/nightly.ts";
import { type Job, jobs } from "#lib/runtime/jobs/jobs.ts";
import { runDueWork } from "#lib/runtime/jobs/run-due-work.ts";
import { onStop, tellSupervisor } from "./supervised-child.ts";

/* Runs due work until it is stopped. Several workers may run. */

/** Longest round. Unfinished work is due again in the next one. */
const ROUND_MS = 60_000;
/** Pause after an idle round. Up to doubled at random, so that workers do not run in step. */
const IDLE_MS = 1_000;
const AFTER_FAILURE_MS = 5_000;
/** Time for running work to finish at a stop. */
const STOP_LIMIT_MS = 8_000;
const HEARTBEAT_MS = 2_000;
/** Jobs end soon after the deadline of their round; a worker whose round is longer hangs. */
const MAX_ROUND_MS = 15 * 60_000;

/** Delay of the first backup, because a start has other work. */
const BACKUP_DELAY_MS = 20_000;

let backup: Promise<void> | undefined;
/** The job of nightly backups. It is not in the table of jobs, which Next bundles for Vercel. No round waits for its end. */
const nightlyBackup: Job = {
  name: "nightly backup",
  everyMs: 3_600_000,
  run() {
    const { signal } = stopping;
    backup ??= announceBackups()
      .then(() => sleep(BACKUP_DELAY_MS, undefined, { signal }))
      .then(backUpWhenDue)
      .catch((err: unknown) => {
        if (!signal.aborted) log.error({ err }, "result of the nightly backup not stored");
      })
      .finally(() => (backup = undefined));
    return Promise.resolve();
  },
};

let roundBegan = performance.now();
setInterval(() => {
  if (performance.now() - roundBegan < MAX_ROUND_MS) tellSupervisor({ type: "alive" });
}, HEARTBEAT_MS).unref();

process.title = "sluice-worker";
const stopping = new AbortController();
onStop(() => {
  stopping.abort();
  setTimeout(() => process.exit(0), STOP_LIMIT_MS).unref();
});

tellSupervisor({ type: "ready" });
while (!stopping.signal.aborted) {
  const pause = await round();
  await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
}
await disconnectDb();
process.exit(0);

/** Runs a round. @returns milliseconds until the next one */
async function round(): Promise<number> {
  roundBegan = performance.now();
  try {
    const limits = { deadline: new Date(Date.now() + ROUND_MS), signal: stopping.signal };
    const { worked } = await runDueWork(limits, [...jobs, nightlyBackup]);
    return worked ? 0 : IDLE_MS * (1 + Math.random());
  } catch (error) {
    if (!stopping.signal.aborted) log.error({ err: error }, "background work failed");
    return AFTER_FAILURE_MS * (1 + Math.random());
  }
}
