import { classifyDue } from "#lib/classify/classify-due.ts";
import { always, type Job } from "./job.ts";

/** Posts a round: later rounds go on, and other work gets its turn of the processor. */
const LIMIT = 1_000;

export const classifyUnclassified: Job = {
  name: "classify",
  every: 5_000,
  isDue: always,
  async run({ deadline }) {
    const { scored } = await classifyDue({ limit: LIMIT, deadline });
    return { worked: scored > 0 };
  },
};
