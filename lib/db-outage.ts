import { isCanceled, isDatabaseAway, isLockConflict } from "#lib/errors.ts";

/** `canceled`: the database ended a statement or transaction, which a retry may not meet. */
export type DatabaseFailure = "away" | "canceled";

/* On globalThis, because Next's bundles and the web server have a copy of this module each. */
const holder = globalThis as { sluiceDatabaseFailure?: { kind: DatabaseFailure; at: number } };

/** @param error of the driver */
export function noteDatabaseError(error: unknown): void {
  const kind = isDatabaseAway(error)
    ? "away"
    : isCanceled(error) || isLockConflict(error)
      ? "canceled"
      : null;
  if (kind !== null) holder.sluiceDatabaseFailure = { kind, at: performance.now() };
}

/** @param time as performance.now() */
export function databaseFailureSince(time: number): DatabaseFailure | null {
  const { kind, at } = holder.sluiceDatabaseFailure ?? { kind: null, at: -Infinity };
  return at >= time ? kind : null;
}
