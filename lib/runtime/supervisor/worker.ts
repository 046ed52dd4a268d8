import { setTimeout as sleep } from "node:timers/promises";
import { disconnectDb } from "#lib/db.ts";
import { SettingsError } from "#lib/env.ts";
import { runDueWork } from "#lib/jobs/run-due-work.ts";
import { log } from "#lib/log.ts";
import { ensureSetup } from "#lib/members/ensure-setup.ts";
import { onStop, tellSupervisor } from "./supervised-child.ts";

/*
 * The worker process: asks the database what is due and does it, for ever. Any number of them may run.
 */

/** How long one round may take, in milliseconds; what is left over is due again in the next. */
const ROUND = 60_000;
/** Pause when nothing was due: between one and two seconds, so that several workers don't ask in step. */
const IDLE = 1_000;
const AFTER_FAILURE = 5_000;
/** What is under way at the end gets this long to finish. */
const LAST_CALL = 8_000;

process.title = "sluice-worker";
const stopping = new AbortController();
onStop(() => {
  stopping.abort();
  setTimeout(() => process.exit(0), LAST_CALL).unref();
});

try {
  const { setup_url } = await ensureSetup();
  tellSupervisor({ type: "ready", setup_url });
} catch (error) {
  if (!(error instanceof SettingsError) || process.send === undefined) throw error;
  tellSupervisor({ type: "failed", sentence: error.message });
}

while (!stopping.signal.aborted) {
  const pause = await round();
  await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
}
await disconnectDb();
process.exit(0);

/** One round of work; returns how long to wait before the next, in milliseconds. */
async function round(): Promise<number> {
  try {
    const { worked } = await runDueWork({ deadline: new Date(Date.now() + ROUND), signal: stopping.signal });
    return worked ? 0 : IDLE * (1 + Math.random());
  } catch (error) {
    if (!stopping.signal.aborted) log.error({ err: error }, "a round of background work failed");
    return AFTER_FAILURE * (1 + Math.random());
  }
}
