import { sweepPictures } from "#lib/media/sweep-pictures.ts";
import { always, type Job } from "./job.ts";
import { pruneAttempts, pruneErrorBatches, pruneFetchRuns, pruneLinks } from "./sql.ts";

/**
 * Rows that mean nothing any more: old fetch runs, ended links, forgotten sign-in attempts, errors whose requeue is past
 * undoing; and cached pictures.
 */
export const prune: Job = {
  name: "prune",
  every: 600_000,
  isDue: always,
  async run() {
    await pruneFetchRuns();
    await pruneLinks();
    await pruneAttempts();
    await pruneErrorBatches();
    await sweepPictures();
    return { worked: false };
  },
};
