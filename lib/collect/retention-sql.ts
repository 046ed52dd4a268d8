import { db, Prisma, type Tx } from "#lib/base/db.ts";
import type { KeptKind } from "./retention-schema.ts";

interface Expired {
  from: Prisma.Sql;
  /** Tables whose rows are locked, posts before queue entries. */
  locked: Prisma.Sql;
  /** Time that the days are counted from. */
  since: Prisma.Sql;
}

type PostKind = Exclude<KeptKind, "history">;

const expired: Record<PostKind, Expired> = {
  rejected: {
    from: Prisma.sql`post p WHERE p.approved = false`,
    locked: Prisma.sql`p`,
    since: Prisma.sql`p.reviewed_at`,
  },
  // updated_at: a post that came back to review has waited since then. Not while it is on somebody's desk.
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
  // Nothing reads lines of a post that is not stored but the review log and the page of a key. By UTC day, because lines grow
  // older by the second, and a saved number must not exceed the counted one.
  if (kind === "history")
    return Prisma.sql`post_event e WHERE at < date_trunc('day', now(), 'UTC') - ${days}::int * interval '1 day'
      AND NOT EXISTS (SELECT FROM post p WHERE p.id = e.post_id)`;
  const { from, since } = expired[kind];
  return Prisma.sql`${from} AND ${since} <= now() - ${days}::int * interval '1 day'`;
}

export async function countExpired(tx: Tx, kind: KeptKind, days: number): Promise<number> {
  const rows = await tx.$queryRaw<{ n: number }[]>`SELECT count(*)::int AS n FROM ${olderThan(kind, days)}`;
  return rows[0]?.n ?? 0;
}

/**
 * Oldest first. Skips rows that a review or a consumer has locked.
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

/** @returns number of history lines */
export function deleteHistory(days: number, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM post_event WHERE id IN (SELECT e.id FROM ${olderThan("history", days)} ORDER BY e.id LIMIT ${limit})`;
}
