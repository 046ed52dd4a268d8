import { servicePrincipal } from "#lib/auth/principal.ts";
import { env } from "#lib/env.ts";
import { cleanupDelivered } from "#lib/queue/cleanup-delivered.ts";
import type { Job, Limits } from "./job.ts";
import { claimCleanup, endCleanup, isCleanupDue } from "./sql.ts";

/** Once a day; a missed day is caught up at the next chance. */
export const cleanUpDaily: Job = {
  name: "clean up delivered posts",
  every: 60_000,
  isDue: isCleanupDue,
  async run(limits) {
    if (!(await claimCleanup())) return { worked: false };
    await cleanUpNow(limits);
    return { worked: true };
  },
};

/**
 * Deletes delivered posts older than RETENTION_DAYS. Harmless at any time and any number of times. What the
 * deadline leaves over stays due.
 */
export async function cleanUpNow({ deadline }: Limits): Promise<{ deleted: number }> {
  const { deleted, complete } = await cleanupDelivered(servicePrincipal, env().RETENTION_DAYS, deadline);
  await endCleanup(complete);
  return { deleted };
}
