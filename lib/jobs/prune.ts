import { pruneActions } from "#lib/actions/record-action.ts";
import { pruneAlerts } from "#lib/alerts/watch-alerts.ts";
import { db } from "#lib/db.ts";
import { pruneHosts } from "#lib/hosts/prune-hosts.ts";
import { rejectReturnedErased } from "#lib/ingest/withdraw-posts.ts";
import { sweepPictures } from "#lib/media/sweep-pictures.ts";
import { pruneMessages } from "#lib/webhooks/send-messages.ts";

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

/** Deletes expired rows and cached pictures. */
export async function prune(): Promise<void> {
  await pruneFetchRuns();
  await db.invitation.deleteMany({
    where: { OR: [{ used_at: { lt: daysAgo(7) } }, { used_at: null, expires_at: { lt: daysAgo(7) } }] },
  });
  // A session token is valid for 30 days after its last use.
  await db.session.deleteMany({ where: { last_used_at: { lt: daysAgo(31) } } });
  await db.sign_in_attempt.deleteMany({ where: { last_failure: { lt: daysAgo(1) } } });
  await pruneActions();
  await pruneHosts();
  await pruneDroppedPosts();
  await pruneAlerts();
  await pruneMessages();
  await rejectReturnedErased();
  await sweepPictures();
}

/** Keeps 30 days. SQL, because DELETE through Prisma has no LIMIT. */
async function pruneFetchRuns(): Promise<void> {
  await db.$executeRaw`
    DELETE FROM fetch_run WHERE id IN (
      SELECT id FROM fetch_run WHERE started_at < now() - interval '30 days' ORDER BY started_at LIMIT 10000)`;
}

/** Thirty days after the post was last seen in a timeline. */
async function pruneDroppedPosts(): Promise<void> {
  await db.$executeRaw`
    DELETE FROM dropped_post WHERE uri_hmac IN (
      SELECT uri_hmac FROM dropped_post WHERE seen_at < now() - interval '30 days' ORDER BY seen_at LIMIT 10000)`;
}
