import { db } from "#lib/base/db.ts";
import { isDatabaseAway } from "#lib/base/errors.ts";
import { pruneLearnt } from "#lib/checks/learner/learn.ts";
import { rejectReturnedErased } from "#lib/collect/forget-authors.ts";
import { pruneHosts } from "#lib/fediverse/hosts.ts";
import { sweepPictures } from "#lib/media/cache.ts";
import { pruneAlerts } from "#lib/stats/alerts.ts";

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

const steps: Record<string, () => Promise<unknown>> = {
  "fetch runs": () => db.fetch_run.deleteMany({ where: { started_at: { lt: daysAgo(30) } } }),
  invitations: () =>
    db.invitation.deleteMany({
      where: { OR: [{ used_at: { lt: daysAgo(7) } }, { used_at: null, expires_at: { lt: daysAgo(7) } }] },
    }),
  // A session token is valid for 30 days after its last use.
  sessions: () => db.session.deleteMany({ where: { last_used_at: { lt: daysAgo(31) } } }),
  "sign-in attempts": () => db.sign_in_attempt.deleteMany({ where: { last_failure: { lt: daysAgo(1) } } }),
  "dropped posts": () => db.tombstone.deleteMany({ where: { dropped: true, at: { lt: daysAgo(30) } } }),
  decisions: () => db.decision.deleteMany({ where: { at: { lt: daysAgo(7) } } }),
  "learnt decisions": pruneLearnt,
  hosts: pruneHosts,
  alerts: pruneAlerts,
  "returned posts": rejectReturnedErased,
  pictures: sweepPictures,
};

/**
 * Deletes expired rows and cached pictures. A step that fails does not stop the others.
 * @throws Error that names the steps that failed; the driver's error when the database is away
 */
export async function prune(): Promise<void> {
  const failures: string[] = [];
  for (const [step, run] of Object.entries(steps)) {
    await run().catch((error: Error) => {
      if (isDatabaseAway(error)) throw error;
      failures.push(`${step} (${error.message})`);
    });
  }
  if (failures.length > 0) throw new Error(`could not prune: ${failures.join(", ")}`);
}
