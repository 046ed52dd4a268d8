import { now, sleep } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { isDatabaseAway } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { jobRuns } from "#lib/stats/job-runs.ts";
import { jobs, type Job, type Limits } from "./jobs.ts";

/** Between looks at idle jobs while another job is running; each runs no more often than its own interval. */
const IDLE_PAUSE_MS = 100;

const lastStart = new Map<string, number>();

/**
 * Concurrent, so that a slow remote server does not delay a block list.
 *
 * @returns whether there was work; if so the caller calls again at once
 * @throws when the database cannot be reached; other errors are logged
 */
export async function runDueWork(
  limits: { deadline: Date; signal?: AbortSignal },
  table: readonly Job[] = jobs,
): Promise<{ worked: boolean }> {
  const round = new Round(limits);
  await Promise.all(table.map((job) => round.work(job)));
  if (round.databaseError !== null) throw round.databaseError;
  await storeEnd();
  return { worked: round.worked };
}

/** For `/readyz?verbose`, metrics and the start page. Every ten seconds, because an idle worker makes a round a second. */
async function storeEnd(): Promise<void> {
  await db.$executeRaw`
    UPDATE installation SET last_round_at = now() WHERE last_round_at < now() - interval '10 seconds'`;
  await storeRuns();
}

/** Failures of jobs that ran in this process and are not stored yet. */
const runs = new Map<string, number>();
let runsStoredAt = -Infinity;

function noteRun(job: string, isFailure: boolean): void {
  runs.set(job, (runs.get(job) ?? 0) + (isFailure ? 1 : 0));
}

/** At most every ten seconds. Figures of a failed statement are lost. */
async function storeRuns(): Promise<void> {
  if (runs.size === 0 || performance.now() - runsStoredAt < 10_000) return;
  runsStoredAt = performance.now();
  const noted = [...runs];
  runs.clear();
  await inTransaction(async (tx) => {
    const stored = await jobRuns.lock(tx);
    for (const [job, failures] of noted)
      stored[job] = { failures: (stored[job]?.failures ?? 0) + failures, last_run_at: now() };
    await jobRuns.set(stored, tx);
  });
}

export function resetIntervals(): void {
  lastStart.clear();
  runsStoredAt = -Infinity;
}

class Round {
  readonly limits: Limits;
  worked = false;
  /** Ends the round. */
  databaseError: Error | null = null;
  private running = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  async work(job: Job): Promise<void> {
    do {
      if (this.isOver()) return;
      if (Date.now() - (lastStart.get(job.name) ?? 0) < job.everyMs) continue;
      lastStart.set(job.name, Date.now());
      this.running++;
      const isHealthy = await this.attempt(job);
      this.running--;
      if (!isHealthy) return;
      // Work may become due while another job is running.
    } while (await this.pauseWhileOthersRun());
  }

  /** False: failed, and not run again in this round. */
  private async attempt(job: Job): Promise<boolean> {
    try {
      if (job.isDue !== undefined && !(await job.isDue())) return true;
      const { worked } = await job.run(this.limits);
      this.worked ||= worked;
      noteRun(job.name, false);
      return true;
    } catch (error) {
      noteRun(job.name, true);
      if (isDatabaseAway(error))
        this.databaseError = error instanceof Error ? error : new Error(String(error));
      else log.error({ err: error, job: job.name }, "background job failed");
      return false;
    }
  }

  private async pauseWhileOthersRun(): Promise<boolean> {
    if (this.running === 0) return false;
    await sleep(IDLE_PAUSE_MS, this.limits.signal);
    return true;
  }

  private isOver(): boolean {
    return (
      this.databaseError !== null ||
      this.limits.signal?.aborted === true ||
      Date.now() >= this.limits.deadline.getTime()
    );
  }
}
