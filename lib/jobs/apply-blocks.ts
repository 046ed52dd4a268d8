import { applyBlockChanges } from "#lib/filters/block-changes.ts";
import { always, type Job } from "./job.ts";

export const applyBlocks: Job = {
  name: "apply block lists",
  every: 1_000,
  isDue: always,
  run: ({ deadline }) => applyBlockChanges({ deadline }),
};
