import { isDatabaseAway } from "#lib/errors.ts";

/* On globalThis, because Next's bundles and the web server have a copy of this module each. */
const holder = globalThis as { sluiceDatabaseAwayAt?: number };

/** @param error of the driver */
export function noteDatabaseError(error: unknown): void {
  if (isDatabaseAway(error)) holder.sluiceDatabaseAwayAt = performance.now();
}

/** @param time as performance.now() */
export function wasDatabaseAwaySince(time: number): boolean {
  return (holder.sluiceDatabaseAwayAt ?? -Infinity) >= time;
}
