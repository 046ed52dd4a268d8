import { Prisma, type Tx } from "#lib/db.ts";
import { hostAfter, isRenamed, renamed, type HandleChange } from "#lib/hosts/handle-changes.ts";

/** Figures of deleted posts follow, too. Compaction waits meanwhile. */
export async function renameFigures(tx: Tx, change: HandleChange): Promise<void> {
  const column = Prisma.sql`author_key`;
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(7105)`;
  await tx.$executeRaw`UPDATE stat_delta SET author_key = ${renamed(column, change)} WHERE ${isRenamed(column, change)}`;
  await tx.$executeRaw`
    WITH old AS (DELETE FROM stat_author WHERE ${isRenamed(column, change)} RETURNING *)
    INSERT INTO stat_author AS t (day, author_key, approvals)
    SELECT day, ${renamed(column, change)}, approvals FROM old ORDER BY 2, 1
    ON CONFLICT (author_key, day) DO UPDATE SET approvals = t.approvals + excluded.approvals`;
  if (change.before.startsWith("@")) await renameHostFigures(tx, change.host, hostAfter(change));
}

async function renameHostFigures(tx: Tx, before: string, after: string): Promise<void> {
  await tx.$executeRaw`UPDATE stat_delta SET instance = ${after} WHERE instance = ${before}`;
  await tx.$executeRaw`UPDATE counter_delta SET instance = ${after} WHERE instance = ${before}`;
  await tx.$executeRaw`
    WITH old AS (DELETE FROM counter_instance WHERE instance = ${before} RETURNING *)
    INSERT INTO counter_instance AS t (instance, posts) SELECT ${after}, posts FROM old
    ON CONFLICT (instance) DO UPDATE SET posts = t.posts + excluded.posts`;
  await tx.$executeRaw`
    WITH old AS (DELETE FROM stat_instance WHERE instance = ${before} RETURNING *)
    INSERT INTO stat_instance AS t (day, instance, fetched, reviews, approvals, deliveries)
    SELECT day, ${after}, fetched, reviews, approvals, deliveries FROM old
    ON CONFLICT (instance, day) DO UPDATE SET
      fetched = t.fetched + excluded.fetched, reviews = t.reviews + excluded.reviews,
      approvals = t.approvals + excluded.approvals, deliveries = t.deliveries + excluded.deliveries`;
  await tx.$executeRaw`
    WITH old AS (DELETE FROM stat_wait WHERE dimension = 'instance' AND key = ${before} RETURNING *)
    INSERT INTO stat_wait AS t (kind, dimension, days, key, day, bucket, n)
    SELECT kind, dimension, days, ${after}, day, bucket, n FROM old
    ON CONFLICT (kind, dimension, days, key, day, bucket) DO UPDATE SET n = t.n + excluded.n`;
}
