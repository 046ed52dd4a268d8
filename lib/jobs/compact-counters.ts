import { compactFigures } from "#lib/stats/stored-figures.ts";
import { always, type Job } from "./job.ts";

export const compactCounters: Job = {
  name: "compact counters",
  every: 5_000,
  isDue: always,
  async run({ deadline }) {
    await compactFigures(deadline);
    // Never a reason to ask again at once: figures are right before and after.
    return { worked: false };
  },
};
