import { runJob } from "./run-job.ts";
import { serveJobs } from "./serve-jobs.ts";

/* Decodes pictures for other processes (decode-picture.ts), in a thread of sharp. */

serveJobs("sluice-decoder", runJob);
