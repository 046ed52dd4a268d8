import { Prisma, type Tx } from "#lib/db.ts";
import { hostAfter, isRenamed, renamed, type HandleChange } from "#lib/hosts/handle-changes.ts";

/** Figures of deleted posts follow, too. Compaction waits meanwhile. */
export async function renameFigures(tx: Tx, change: HandleChange): Promise<void> {
  const author = Prisma.sql`author_key`;
  const key = Prisma.sql`key`;
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(7105)`;
  await tx.$executeRaw`UPDATE figure_delta SET author_key = ${renamed(author, change)} WHERE ${isRenamed(author, change)}`;
  await tx.$executeRaw`
    SELECT rename_figures('author', NULL, array_agg(key), array_agg(${renamed(key, change)}))
      FROM (SELECT DISTINCT key FROM figure WHERE dimension = 'author' AND ${isRenamed(key, change)}) old`;
  if (!change.before.startsWith("@")) return;
  const after = hostAfter(change);
  await tx.$executeRaw`UPDATE figure_delta SET instance = ${after} WHERE instance = ${change.host}`;
  await tx.$executeRaw`SELECT rename_figures('host', NULL, ARRAY[${change.host}], ARRAY[${after}])`;
}
