import { db, type Tx } from "./db.ts";
import { busy, isLockConflict, isTransactionLate } from "./errors.ts";

const ATTEMPTS = 4;
/** Milliseconds for a transaction that changes thousands of posts. */
export const BULK_TIMEOUT_MS = 120_000;

/**
 * Runs a change in one transaction, retried after a deadlock.
 *
 * @param timeout milliseconds
 * @throws busy: no connection was free, or the transaction exceeded `timeout`
 */
export async function inTransaction<T>(work: (tx: Tx) => Promise<T>, timeout = 20_000): Promise<T> {
  return retryLockConflict(async () => {
    try {
      return await db.$transaction(work, { maxWait: 10_000, timeout });
    } catch (error) {
      throw isTransactionLate(error) ? busy() : error;
    }
  });
}

/**
 * Retries after a deadlock. Reviews lock posts, entries and cards, each in order of id, but a block applied to
 * thousands of entries locks in another order.
 */
export async function retryLockConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !isLockConflict(error)) throw error;
    }
  }
}
