import { sleep } from "#lib/clock.ts";
import { log } from "#lib/log.ts";
import { applyBatch, openChanges } from "./changes-sql.ts";

/**
 * Entries written by one batch, and so locked at once. Measured with a consumer reserving all the time while
 * 333 000 of a million entries are held: see README.
 */
const WRITE = 200;
/** Entries read by one batch: begins small and follows the time a batch takes. */
const READ_FIRST = 5_000;
const READ_LEAST = 500;
const READ_MOST = 20_000;
const BATCH_MS = 50;
/** Pause when all that is left of a change is in other transactions' hands. */
const WAIT_MS = 25;

type Progress = { finished: boolean; worked: boolean };

/**
 * Finishes what changes of the block lists, reported opt-outs and topical rules have left to do on the queue, the oldest first,
 * until nothing is left or the deadline has come. Any number of processes may call it at once; what a killed one
 * left is simply still there.
 * @returns whether there was anything to do that could be done
 */
export async function applyBlockChanges(limits: { deadline: Date }): Promise<{ worked: boolean }> {
  let worked = false;
  for (const id of await openChanges()) {
    if (Date.now() >= limits.deadline.getTime()) break;
    const progress = await applyChange(id, limits.deadline, "pass");
    worked ||= progress.worked;
  }
  return { worked };
}

/**
 * The same inside a request whose own change is committed: whatever goes wrong now is the worker's.
 * @param ms how long at most
 */
export async function applyWithin(ms: number): Promise<void> {
  try {
    await applyBlockChanges({ deadline: new Date(Date.now() + ms) });
  } catch (error) {
    log.warn({ err: error }, "changes of the queue are left to the worker");
  }
}

/**
 * Works at one change until it is finished or the deadline has come.
 * @param whenHeldUp `wait`: pause while others hold what is left of it. `pass`: leave it, there may be other work.
 */
export async function applyChange(
  id: number,
  deadline: Date,
  whenHeldUp: "wait" | "pass",
): Promise<Progress> {
  const began = performance.now();
  let read = READ_FIRST;
  let changed = 0;
  let worked = false;
  for (;;) {
    const started = performance.now();
    const batch = await applyBatch(id, read, WRITE);
    changed += batch.changed;
    if (batch.outcome === "done") {
      log.info({ change_id: id, changed, ms: Math.round(performance.now() - began) }, "block change applied");
      return { finished: true, worked: true };
    }
    const heldUp = batch.outcome === "waiting" || batch.outcome === "busy";
    worked ||= !heldUp || batch.changed > 0;
    if (Date.now() >= deadline.getTime() || (heldUp && whenHeldUp === "pass"))
      return { finished: false, worked };
    if (heldUp) await sleep(WAIT_MS);
    else read = nextRead(read, performance.now() - started);
  }
}

/**
 * Entries the next batch reads: twice as many while batches are quick, half when one took long. What a verdict
 * costs depends on the lists (ten thousand `contains` patterns: a millisecond an author).
 */
export function nextRead(read: number, elapsedMs: number): number {
  if (elapsedMs > 2 * BATCH_MS) return Math.max(READ_LEAST, Math.floor(read / 2));
  return elapsedMs < BATCH_MS ? Math.min(READ_MOST, read * 2) : read;
}
