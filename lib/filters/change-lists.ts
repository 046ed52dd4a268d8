import type { Tx } from "#lib/db.ts";
import { log } from "#lib/log.ts";
import { inTransaction } from "#lib/transaction.ts";
import { applyChange } from "./apply-block-changes.ts";
import { insertBlockChanges, lockLists, type BlockChange } from "./changes-sql.ts";

/** How long a request works at the queue itself; what is left then is the worker's. */
const IN_REQUEST_MS = 2_000;

/**
 * Changes a block list (or the reported opt-outs) and then the queue. `change` writes the list and says what of
 * the queue it concerns; both are committed together, with the lists locked only from the last statement to the
 * commit. The entries follow in batches of their own, most often before this returns.
 * `change` is run again when PostgreSQL ended it to break a ring of waiters.
 */
export async function changeLists<T>(
  change: (tx: Tx) => Promise<{ result: T; concerns: BlockChange[] }>,
): Promise<T> {
  const { result, ids } = await inTransaction(async (tx) => {
    const { result, concerns } = await change(tx);
    if (concerns.length === 0) return { result, ids: [] };
    const ids = await insertBlockChanges(tx, concerns);
    await lockLists(tx);
    return { result, ids };
  });
  const deadline = new Date(Date.now() + IN_REQUEST_MS);
  try {
    for (const id of ids) if (!(await applyChange(id, deadline, "wait")).finished) break;
  } catch (error) {
    // The list is changed and the work is noted: the worker does it, so the request has not failed.
    log.warn({ err: error }, "a block change is left to the worker");
  }
  return result;
}
