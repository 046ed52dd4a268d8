import { sweepPictures } from "#lib/media/sweep-pictures.ts";
import { always, type Job } from "./job.ts";
import { pruneAttempts, pruneFetchRuns, pruneLinks } from "./sql.ts";

/** Rows that mean nothing any more: old fetch runs, ended links, forgotten sign-in attempts; and cached pictures. */
export const prune: Job = {
  name: "prune",
  every: 600_000,
  isDue: always,
  async run() {
    await pruneFetchRuns();
    await pruneLinks();
    await pruneAttempts();
    await sweepPictures();
    return { worked: false };
  },
};
