import { expect } from "vitest";
import { db } from "#lib/db.ts";

/** What waits for a lock on a busy machine is given this long, in milliseconds. */
export const PATIENT = { timeout: 20_000 };

/** Waits until one statement of this test's database waits for a lock. */
export async function untilOneWaits(): Promise<void> {
  const waiting = () =>
    db.$queryRaw`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await expect.poll(waiting, PATIENT).toHaveLength(1);
}
