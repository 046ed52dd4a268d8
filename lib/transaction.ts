import { db, type Tx } from "./db.ts";
import { busy, isLockConflict, isTransactionLate } from "./errors.ts";

const ATTEMPTS = 4;

/**
 * Runs a change in one transaction, again when PostgreSQL ended it to break a ring of waiters.
 * @param timeout milliseconds
 * @throws busy: no connection was free, or the change took longer than `timeout` and was given up
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
 * Reviews lock posts, then entries, then cards, each in the order of their ids; other work on the queue (a block
 * applied to thousands of entries) has an order of its own, so PostgreSQL may have to end one of two statements that
 * wait for each other. That one has changed nothing and is run again.
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
