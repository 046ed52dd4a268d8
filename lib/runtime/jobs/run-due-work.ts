import { now, sleep } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { isDatabaseAway } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { jobRuns } from "#lib/stats/job-runs.ts";
import { jobs, type Job } from "./jobs.ts";

/** Pause between looks at idle jobs while another job runs. Each job still keeps its own interval. */
const IDLE_PAUSE_MS = 100;

const lastStart = new Map<string, number>();

/**
 * Runs all jobs concurrently, so that a slow remote server does not delay a block list.
 *
 * @returns whether there was work; if so the caller calls again at once
 * @throws when the database cannot be reached, which ends the round; other errors are logged
 */
export async function runDueWork(
  limits: { deadline: Date; signal?: AbortSignal },
  table: readonly Job[] = jobs,
): Promise<{ worked: boolean }> {
  let worked = false;
  let running = 0;
  let away: Error | null = null;

  const note = ({ name }: Job, n: number) => failures.set(name, (failures.get(name) ?? 0) + n);
  /** Runs a job. False if it failed; then it does not run again in this round. */
  const attempt = async (job: Job): Promise<boolean> => {
    try {
      const result = await job.run(limits);
      if (result?.worked) worked = true;
      note(job, 0);
      return true;
    } catch (error) {
      note(job, 1);
      if (isDatabaseAway(error)) away = error instanceof Error ? error : new Error(String(error));
      else log.error({ err: error, job: job.name }, "background job failed");
      return false;
    }
  };
  const isOver = () => away !== null || limits.signal?.aborted || Date.now() >= limits.deadline.getTime();

  const work = async (job: Job): Promise<void> => {
    for (; !isOver(); await sleep(IDLE_PAUSE_MS, limits.signal)) {
      if (Date.now() - (lastStart.get(job.name) ?? 0) >= job.everyMs) {
        lastStart.set(job.name, Date.now());
        running++;
        const isHealthy = await attempt(job);
        running--;
        if (!isHealthy) return;
      }
      // Work may become due while another job is running.
      if (running === 0) return;
    }
  };
  await Promise.all(table.map(work));
  if (away !== null) throw away as Error;
  await storeEnd();
  return { worked };
}

/** Stores the end of a round, for `/readyz?verbose`, metrics and Home. At most every ten seconds, to write seldom. */
async function storeEnd(): Promise<void> {
  await db.$executeRaw`
    UPDATE installation SET last_round_at = now() WHERE last_round_at < now() - interval '10 seconds'`;
  if (failures.size === 0 || performance.now() - storedAt < 10_000) return;
  storedAt = performance.now();
  const noted = [...failures];
  failures.clear();
  await inTransaction(async (tx) => {
    const stored = await jobRuns.lock(tx);
    for (const [job, n] of noted)
      stored[job] = { failures: (stored[job]?.failures ?? 0) + n, last_run_at: now() };
    await jobRuns.set(stored, tx);
  });
}

/** Failures by job of this process that are not stored yet. If the statement fails, they are lost. */
const failures = new Map<string, number>();
let storedAt = -Infinity;

export function resetIntervals(): void {
  lastStart.clear();
  storedAt = -Infinity;
}
