import { z } from "zod";
import { setting } from "#lib/base/setting.ts";

/** Failures and last run of each background job, over all processes. The worker writes them. */
export const jobRuns = setting(
  "job_runs",
  z.record(z.string(), z.object({ failures: z.int(), last_run_at: z.coerce.date() })),
);
