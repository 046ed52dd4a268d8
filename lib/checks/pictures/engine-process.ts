import { serveJobs } from "#lib/media/serve-jobs.ts";
import { answerOf } from "./models.ts";

/* Runs the classifier for the worker (engine.ts). It gets pixels from a decoder, never a file of another server. */

serveJobs("sluice-pictures", answerOf);
