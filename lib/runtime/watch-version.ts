import { openPool } from "#lib/db.ts";
import { APPLIED_MIGRATIONS, compareMigrations } from "#lib/http/health.ts";
import { log } from "#lib/log.ts";

/* During a rolling upgrade, an older instance must not read or write the tables of the newer version. */

const ASK_EVERY_MS = 2_000;

/**
 * Asks the database every two seconds whether a newer version has migrated it.
 *
 * @param onNewer called when it has
 * @returns the last answer
 */
export function watchVersion(onNewer: () => void = () => undefined): () => boolean {
  let isNewer = false;
  const ask = async () => {
    try {
      const answer = await openPool()?.query<{ name: string }>(APPLIED_MIGRATIONS);
      const { newer } = await compareMigrations(answer?.rows ?? []);
      if (newer.length > 0 && !isNewer) {
        log.error({ newer }, "the database is newer than this version, which refuses all work");
        onNewer();
      }
      isNewer = newer.length > 0;
    } catch {
      // The database is away, and /readyz says so.
    }
    setTimeout(() => void ask(), ASK_EVERY_MS).unref();
  };
  void ask();
  return () => isNewer;
}
