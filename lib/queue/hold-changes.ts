import { sleep } from "#lib/base/clock.ts";
import { db, type Tx } from "#lib/base/db.ts";
import type { StoredPatternType } from "#lib/blocking/schema.ts";
import { log } from "#lib/base/log.ts";
import { inTransaction } from "#lib/base/transaction.ts";

/** Most entries that one statement reads and locks (docs/decisions/0006-block-changes-in-batches.md). */
const SLICE = 2_000;
/** For a request's own change; the worker applies the rest. */
const IN_REQUEST_MS = 2_000;
/** Of it, for transactions that overlap the change: what they end with is right without the request. */
const OVERLAP_MS = 200;
const WAIT_MS = 25;

/** Queue entries that a change of a list, switch or reported opt-out may concern. */
export interface HoldChange {
  /** `exact`: of these authors or tags; `any`: all; `switch`: those that miss a requirement; else of one pattern. */
  pattern_type: StoredPatternType | "any" | "switch";
  /** In stored form: `user@host`, a part of it or a domain in lower case, or folded hashtags. */
  patterns: string[];
}

/**
 * @param change writes lists and switches, and names what may be concerned; runs again after a deadlock
 * @param timeout of the transaction, in milliseconds
 */
export async function changeHolds<T>(
  change: (tx: Tx) => Promise<{ result: T; changes: HoldChange[] }>,
  timeout?: number,
): Promise<T> {
  const { result, ids } = await inTransaction(async (tx) => {
    const { result, changes } = await change(tx);
    return { result, ids: await noteHoldChanges(tx, changes) };
  }, timeout);
  const deadline = Date.now() + IN_REQUEST_MS;
  try {
    for (const id of ids) await recompute(id, deadline, OVERLAP_MS);
  } catch (error) {
    // The change is committed, so the request has succeeded.
    log.warn({ err: error }, "change of holds not applied in the request, left to the worker");
  }
  return result;
}

/** For a change in this transaction. Until the worker has applied it, each reserve compares posts with the lists. */
export async function noteHoldChanges(tx: Tx, changes: HoldChange[]): Promise<number[]> {
  if (changes.length === 0) return [];
  const rows = await tx.hold_change.createManyAndReturn({ data: changes, select: { id: true } });
  return rows.map((row) => row.id);
}

/**
 * May run in several processes.
 *
 * @returns whether any entry was looked at
 */
export async function applyHoldChanges({ deadline }: { deadline: Date }): Promise<{ worked: boolean }> {
  let worked = false;
  const open = await db.hold_change.findMany({ orderBy: { id: "asc" }, select: { id: true } });
  for (const { id } of open)
    if (Date.now() < deadline.getTime() && (await recompute(id, deadline.getTime(), 0))) worked = true;
  return { worked };
}

/**
 * @param patience in milliseconds, with transactions that overlap the change or other processes that work on it
 * @returns whether any entry was looked at
 */
async function recompute(id: number, deadline: number, patience: number): Promise<boolean> {
  let worked = false;
  for (let left = patience; ;) {
    const rows = await db.$queryRaw<{ outcome: string }[]>`
      SELECT recompute_holds(${id}::int, ${SLICE}::int) AS outcome`;
    const outcome = rows[0]?.outcome;
    if (outcome === "waiting" || outcome === "busy") {
      if ((left -= WAIT_MS) < 0) return worked;
      await sleep(WAIT_MS);
      continue;
    }
    worked = true;
    if (outcome === "done" || Date.now() >= deadline) return worked;
  }
}
