import { setTimeout as sleep } from "node:timers/promises";
import { disconnectDb } from "#lib/db.ts";
import { runDueWork } from "#lib/jobs/run-due-work.ts";
import { log } from "#lib/log.ts";
import { onStop, tellSupervisor } from "./supervised-child.ts";

/* Runs due work until it is stopped. Several workers may run. */

/** Milliseconds; unfinished work is due again in the next round. */
const ROUND = 60_000;
/** Milliseconds, up to doubled at random so that workers do not run in step. */
const IDLE = 1_000;
const AFTER_FAILURE = 5_000;
/** Milliseconds for running work to finish. */
const LAST_CALL = 8_000;
const HEARTBEAT = 2_000;
/** Milliseconds. Jobs end soon after the deadline of their round; a worker whose round is longer hangs. */
const LONGEST_ROUND = 15 * 60_000;

let roundBegan = performance.now();
setInterval(() => {
  if (performance.now() - roundBegan < LONGEST_ROUND) tellSupervisor({ type: "alive" });
}, HEARTBEAT).unref();

process.title = "sluice-worker";
const stopping = new AbortController();
onStop(() => {
  stopping.abort();
  setTimeout(() => process.exit(0), LAST_CALL).unref();
});

tellSupervisor({ type: "ready" });
while (!stopping.signal.aborted) {
  const pause = await round();
  await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
}
await disconnectDb();
process.exit(0);

/** @returns milliseconds until the next round */
async function round(): Promise<number> {
  roundBegan = performance.now();
  try {
    const { worked } = await runDueWork({ deadline: new Date(Date.now() + ROUND), signal: stopping.signal });
    return worked ? 0 : IDLE * (1 + Math.random());
  } catch (error) {
    if (!stopping.signal.aborted) log.error({ err: error }, "background work failed");
    return AFTER_FAILURE * (1 + Math.random());
  }
}
