import { db, type Tx } from "#lib/db.ts";
import { ApiError } from "#lib/http/errors.ts";

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
      if ((error as { code?: unknown } | null)?.code !== "P2028") throw error;
      throw new ApiError("busy", {}, { headers: { "Retry-After": "2" } });
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

/** A deadlock (40P01) or a write conflict (40001), whatever layer wrapped it. */
export function isLockConflict(error: unknown, depth = 0): boolean {
  if (typeof error !== "object" || error === null || depth > 5) return false;
  const e = error as Record<string, unknown>;
  if (e.code === "P2034" || e.kind === "TransactionWriteConflict") return true;
  if (e.code === "40P01" || e.code === "40001" || e.originalCode === "40P01" || e.originalCode === "40001")
    return true;
  return [e.cause, e.meta, e.driverAdapterError].some((inner) => isLockConflict(inner, depth + 1));
}
