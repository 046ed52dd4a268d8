import { checkSources } from "#lib/streams/check-sources.ts";
import { always, type Job } from "./job.ts";

export const lookAtSources: Job = {
  name: "look at sources",
  every: 20_000,
  isDue: always,
  async run(limits) {
    const { checked } = await checkSources(limits);
    return { worked: checked > 0 };
  },
};
