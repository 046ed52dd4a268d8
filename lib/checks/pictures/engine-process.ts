import { serveJobs } from "#lib/media/serve-jobs.ts";
import { runEngineJob } from "./run-engine-job.ts";

/* Runs the classifiers for the worker (engine.ts). It gets pixels from a decoder, never a file of another server. */

serveJobs("sluice-pictures", runEngineJob);
