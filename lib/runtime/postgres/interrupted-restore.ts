import type { DataLock } from "#lib/runtime/lock/data-lock.ts";
import { say } from "#lib/runtime/terminal.ts";
import { connectToMigrate } from "./connect.ts";
import { startEmbeddedPostgres } from "./embedded.ts";
import { backupOfRestore, hasIncompleteRestore, unmarkIncompleteRestore } from "./incomplete-restore.ts";

/**
 * Removes the mark of a restore that was killed after its commit. The caller holds the folder, so none is running.
 * @returns the restored backup; null without such a restore
 */
export async function endCommittedRestore(lock: DataLock): Promise<string | null> {
  const { dataDir } = lock;
  if (!hasIncompleteRestore(dataDir)) return null;
  const server = await startEmbeddedPostgres({ dataDir, lock, say, isRestore: true });
  try {
    if (!(await hasTables(server.url))) return null;
  } finally {
    await server.stop();
  }
  const backup = backupOfRestore(dataDir);
  unmarkIncompleteRestore(dataDir);
  say(`The restore of ${backup} was interrupted after all rows had been stored: it is complete.`);
  return backup;
}

/** A restore creates tables and rows in one transaction. */
async function hasTables(url: string): Promise<boolean> {
  const client = await connectToMigrate(url);
  try {
    const { rows } = await client.query<{ found: boolean }>(
      "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found",
    );
    return rows[0]?.found ?? false;
  } finally {
    await client.end();
  }
}
