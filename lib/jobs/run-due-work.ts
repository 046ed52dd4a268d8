import { sleep } from "#lib/clock.ts";
import { isDatabaseAway } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { applyBlocks } from "./apply-blocks.ts";
import { classifyUnclassified } from "./classify-unclassified.ts";
import { cleanUpDaily } from "./clean-up-daily.ts";
import { compactCounters } from "./compact-counters.ts";
import { fetchDueStreams } from "./fetch-due-streams.ts";
import type { Job, Limits } from "./job.ts";
import { lookAtSources } from "./look-at-sources.ts";
import { prune } from "./prune.ts";

export const jobs: readonly Job[] = [
  applyBlocks,
  fetchDueStreams,
  classifyUnclassified,
  lookAtSources,
  compactCounters,
  cleanUpDaily,
  prune,
];

/** While one job is busy the others keep asking this often. */
const ASK_AGAIN = 1_000;

/** When this process asked for each job last. */
const asked = new Map<string, number>();

/**
 * Does what is due now until nothing is left, the deadline has come or the signal aborts. The jobs run side by
 * side, so that a slow server over there does not keep a block from taking effect here. Any number of processes
 * may call it at once.
 *
 * @returns whether there was anything to do; if so the caller asks again at once
 * @throws when the database is away; what one job breaks on is logged, and stops no other
 */
export async function runDueWork(
  limits: { deadline: Date; signal?: AbortSignal },
  table: readonly Job[] = jobs,
): Promise<{ worked: boolean }> {
  const round = new Round(limits);
  await Promise.all(table.map((job) => round.work(job)));
  if (round.away !== null) throw round.away;
  return { worked: round.worked };
}

/** Forgets when jobs were asked for last, so that the next round asks for all of them. For tests and cron calls. */
export function askAtOnce(): void {
  asked.clear();
}

class Round {
  readonly limits: Limits;
  worked = false;
  /** The error of a database that cannot be reached: then no job can do anything. */
  away: Error | null = null;
  private busy = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  async work(job: Job): Promise<void> {
    do {
      if (this.isOver()) return;
      if (Date.now() - (asked.get(job.name) ?? 0) < job.every) continue;
      asked.set(job.name, Date.now());
      this.busy++;
      const goOn = await this.attempt(job);
      this.busy--;
      if (!goOn) return;
      // The others may have something to do as long as one of them is busy.
    } while (await this.pauseWhileBusy());
  }

  /** False when the job broke: it is not tried again in this round. */
  private async attempt(job: Job): Promise<boolean> {
    try {
      if (!(await job.isDue())) return true;
      const { worked } = await job.run(this.limits);
      this.worked ||= worked;
      return true;
    } catch (error) {
      if (isDatabaseAway(error)) this.away = error instanceof Error ? error : new Error(String(error));
      else log.error({ err: error, job: job.name }, "background work failed");
      return false;
    }
  }

  private async pauseWhileBusy(): Promise<boolean> {
    if (this.busy === 0) return false;
    await sleep(ASK_AGAIN, this.limits.signal);
    return true;
  }

  private isOver(): boolean {
    return (
      this.away !== null ||
      this.limits.signal?.aborted === true ||
      Date.now() >= this.limits.deadline.getTime()
    );
  }
}
