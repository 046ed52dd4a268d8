import { z } from "zod";
import { setting } from "#lib/base/setting.ts";

/** Runs of background jobs of all processes, added up; the worker writes it. */
export const jobRuns = setting(
  "job_runs",
  z.record(z.string(), z.object({ failures: z.int(), last_run_at: z.coerce.date() })),
);
