import { db, type Tx } from "#lib/db.ts";
import { ApiError } from "#lib/http/errors.ts";

const ATTEMPTS = 4;

/**
 * Runs a change in one transaction. Reviews lock posts, then entries, in the order of their ids; other work on
 * the queue (a block applied to thousands of entries) has an order of its own, so PostgreSQL may break a ring
 * of waiters by ending one of them. That one has changed nothing and is run again.
 * @throws busy: no connection was free, or the change took longer than `timeout` (ms) and was given up
 */
export async function inTransaction<T>(work: (tx: Tx) => Promise<T>, timeout = 20_000): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.$transaction(work, { maxWait: 10_000, timeout });
    } catch (error) {
      if ((error as { code?: unknown } | null)?.code === "P2028") {
        throw new ApiError("busy", {}, { headers: { "Retry-After": "2" } });
      }
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
