import { recordAudit } from "#lib/accounts/record-audit.ts";
import { db, Prisma } from "#lib/base/db.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { setting } from "#lib/base/setting.ts";
import { inTransaction, retryLockConflict } from "#lib/base/transaction.ts";
import { forgetPictures } from "#lib/media/cache.ts";
import { KeptDays, keptKinds, type KeptKind } from "./retention-schema.ts";

const BATCH = 1000;
const LINES = 10_000;
export const retention = setting("retention", KeptDays);

/** Counts the posts and history lines that a cleanup with these days would delete now. */
export async function countExpired(days: KeptDays): Promise<Record<KeptKind, number>> {
  const counted = await Promise.all(
    keptKinds.map(async (kind) => {
      const age = days[`${kind}_days`];
      if (age === null) return [kind, 0];
      const rows = await db.$queryRaw<{ n: number }[]>`
        SELECT count(*)::int AS n FROM ${olderThan(kind, age)}`;
      return [kind, rows[0]?.n ?? 0];
    }),
  );
  return Object.fromEntries(counted) as Record<KeptKind, number>;
}

/** Changes the days; the next daily cleanup applies them. An update without a difference writes no audit line. */
export async function updateRetention(actor: Actor, after: KeptDays): Promise<void> {
  await inTransaction(async (tx) => {
    const before = await retention.lock(tx);
    if (keptKinds.every((kind) => before[`${kind}_days`] === after[`${kind}_days`])) return;
    await retention.set(after, tx);
    await recordAudit(tx, actor, {
      action: "retention.update",
      subject: "Days that posts and history are kept",
      before,
      after,
    });
  });
}

/**
 * Deletes posts and history lines older than the days of their kind, in short transactions. Each
 * post leaves a tombstone; all-time counts do not change.
 *
 * @param deadline stops between two batches; then `complete` is false
 * @returns the number of deleted posts
 */
export async function deleteExpiredRows(
  actor: Actor,
  deadline: Date,
): Promise<{ deleted: number; complete: boolean }> {
  const settings = await retention.read();
  let deleted = 0;
  for (const kind of keptKinds) {
    const days = settings[`${kind}_days`];
    if (days === null) continue;
    const { rows, complete } = await deleteKind(kind, days, deadline);
    if (kind !== "history") deleted += rows;
    if (rows > 0) {
      await recordAudit(db, actor, {
        action: "posts.cleanup",
        subject: `${kind === "history" ? "history of deleted" : kind} posts older than ${days} days`,
        after: { deleted: rows },
      });
    }
    if (!complete) return { deleted, complete };
  }
  return { deleted, complete: true };
}

async function deleteKind(kind: KeptKind, days: number, deadline: Date) {
  const limit = kind === "history" ? LINES : BATCH;
  const deleteBatch = async () => {
    if (kind === "history") return deleteHistory(days, limit);
    const ids = await deleteExpired(kind, days, limit);
    await forgetPictures(ids);
    return ids.length;
  };
  let rows = 0;
  while (Date.now() < deadline.getTime()) {
    const n = await retryLockConflict(deleteBatch);
    rows += n;
    if (n < limit) return { rows, complete: true };
  }
  return { rows, complete: false };
}

interface Expired {
  from: Prisma.Sql;
  /** SQL: tables whose rows are locked, posts before queue entries. */
  locked: Prisma.Sql;
  /** SQL: time from which the days are counted. */
  since: Prisma.Sql;
}

type PostKind = Exclude<KeptKind, "history">;

const expired: Record<PostKind, Expired> = {
  rejected: {
    from: Prisma.sql`post p WHERE p.approved = false`,
    locked: Prisma.sql`p`,
    since: Prisma.sql`p.reviewed_at`,
  },
  // `updated_at`, because a post that came back to review has waited since then. Not while it is on somebody's desk.
  unreviewed: {
    from: Prisma.sql`post p WHERE p.approved IS NULL
      AND NOT EXISTS (SELECT FROM review_lease l WHERE l.post_id = p.id AND l.expires_at > now())`,
    locked: Prisma.sql`p`,
    since: Prisma.sql`greatest(p.fetched_at, p.updated_at)`,
  },
  failed: {
    from: Prisma.sql`queue_entry q JOIN post p ON p.id = q.post_id WHERE q.state = 'error'`,
    locked: Prisma.sql`p, q`,
    since: Prisma.sql`q.errored_at`,
  },
};

function olderThan(kind: KeptKind, days: number): Prisma.Sql {
  // Nothing reads lines of a post that is not stored but the log and the figures of a key. By UTC day, because lines grow
  // older by the second, and a saved number must not exceed the counted one.
  if (kind === "history")
    return Prisma.sql`post_event e WHERE at < date_trunc('day', now(), 'UTC') - ${days}::int * interval '1 day'
      AND NOT EXISTS (SELECT FROM post p WHERE p.id = e.post_id)`;
  const { from, since } = expired[kind];
  return Prisma.sql`${from} AND ${since} <= now() - ${days}::int * interval '1 day'`;
}

/**
 * Deletes expired posts, oldest first. Skips rows that a review or a consumer has locked.
 *
 * @returns ids of the deleted posts
 */
export async function deleteExpired(kind: PostKind, days: number, limit: number): Promise<number[]> {
  const { since, locked } = expired[kind];
  const rows = await db.$queryRaw<{ ids: number[]; n: number }[]>`
    WITH old AS MATERIALIZED (SELECT ARRAY(
      SELECT p.id FROM ${olderThan(kind, days)} ORDER BY ${since} LIMIT ${limit}
         FOR UPDATE OF ${locked} SKIP LOCKED) AS ids)
    SELECT ids, delete_posts(ids, ${kind}) AS n FROM old`;
  return rows[0]?.ids ?? [];
}

/** @returns the number of deleted history lines */
function deleteHistory(days: number, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM post_event WHERE id IN (SELECT e.id FROM ${olderThan("history", days)} ORDER BY e.id LIMIT ${limit})`;
}
