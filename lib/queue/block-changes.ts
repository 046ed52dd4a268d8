import { sleep } from "#lib/base/clock.ts";
import type { Tx } from "#lib/base/db.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { log } from "#lib/base/log.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import {
  applyBatch,
  insertBlockChanges,
  lockLists,
  openChanges,
  type BlockChange,
} from "./block-changes-sql.ts";

/** Most entries locked by one batch (docs/decisions/0006-block-changes-in-batches.md). */
const WRITE = 200;
const READ_FIRST = 5_000;
const READ_LEAST = 500;
const MAX_READ = 20_000;
const BATCH_MS = 50;
/** Pause while other transactions lock every remaining entry. */
const WAIT_MS = 25;
/** For a request's own change; the worker applies the rest. */
const IN_REQUEST_MS = 2_000;

type Progress = { finished: boolean; worked: boolean };

export type { BlockChange };

export interface ListChange<T> {
  result: T;
  changes: BlockChange[];
}

/**
 * @param change commits the list and the affected entries together; runs again after a deadlock
 * @param timeout of the transaction, in milliseconds
 */
export async function changeBlockLists<T>(
  actor: Actor,
  change: (tx: Tx) => Promise<ListChange<T>>,
  timeout?: number,
): Promise<T> {
  const { result, ids } = await inTransaction(async (tx) => {
    const { result, changes } = await change(tx);
    return { result, ids: await noteListChange(tx, changes) };
  }, timeout);
  await applyInRequest(ids);
  return result;
}

/**
 * For a list that was changed in this transaction; `applyInRequest` follows the commit. Takes the exclusive lock, so call
 * it after everything slow.
 */
async function noteListChange(tx: Tx, changes: BlockChange[]): Promise<number[]> {
  if (changes.length === 0) return [];
  const ids = await insertBlockChanges(tx, changes);
  await lockLists(tx);
  return ids;
}

async function applyInRequest(ids: number[]): Promise<void> {
  const deadline = new Date(Date.now() + IN_REQUEST_MS);
  try {
    for (const id of ids) if (!(await applyChange(id, deadline, "wait")).finished) break;
  } catch (error) {
    // The change is committed, so the request has succeeded.
    log.warn({ err: error }, "block change not applied in the request, left to the worker");
  }
}

/**
 * May run in several processes.
 *
 * @returns whether any batch made progress
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
 * @param whenLocked `wait` for entries that others lock, or `pass` to the next change
 */
async function applyChange(id: number, deadline: Date, whenLocked: "wait" | "pass"): Promise<Progress> {
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
    const locked = batch.outcome === "waiting" || batch.outcome === "busy";
    worked ||= !locked || batch.changed > 0;
    if (Date.now() >= deadline.getTime() || (locked && whenLocked === "pass"))
      return { finished: false, worked };
    if (locked) await sleep(WAIT_MS);
    else read = nextRead(read, performance.now() - started);
  }
}

/** Long lists make each check slower, so the size follows the time. */
function nextRead(read: number, elapsedMs: number): number {
  if (elapsedMs > 2 * BATCH_MS) return Math.max(READ_LEAST, Math.floor(read / 2));
  return elapsedMs < BATCH_MS ? Math.min(MAX_READ, read * 2) : read;
}
