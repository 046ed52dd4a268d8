import type { Env } from "#lib/base/env.ts";
import { openDataFolder, requireItsDatabase } from "#lib/runtime/data-folder.ts";
import { DataFolderInUse, lockDataDir } from "#lib/runtime/data-lock.ts";
import { OperatorError, say } from "#lib/runtime/terminal.ts";
import { startEmbeddedPostgres } from "./embedded.ts";
import { runningDatabaseUrl } from "./running.ts";

/** Time in which a service that is starting becomes reachable. */
const START_PATIENCE_MS = 15_000;

export type DatabaseAccess = {
  /** For migrations and backups. */
  directUrl: string;
  /** For everything else, perhaps through a pooler. */
  url: string;
};

/** @returns null without DATABASE_URL */
export function accessToOwn(settings: Pick<Env, "DATABASE_URL" | "DIRECT_URL">): DatabaseAccess | null {
  const { DATABASE_URL: url, DIRECT_URL: direct } = settings;
  return url === undefined ? null : { directUrl: direct ?? url, url };
}

/**
 * The database for one command: an operator's own, that of the running service, or the built-in one, started for the
 * command.
 * @throws OperatorError when the data folder is in use and its database out of reach
 */
export async function openCommandDatabase(settings: Env) {
  const dataDir = await openDataFolder(settings, say);
  // Whether a service runs is not known with an operator's own database.
  const notStarted = { dataDir, isRunning: false, stop: () => Promise.resolve() };
  const own = accessToOwn(settings);
  if (own !== null) return { ...own, ...notStarted };
  const lock = await lockDataDir(dataDir, "command").catch(async (error: unknown) => {
    if (!(error instanceof DataFolderInUse)) throw error;
    const url = await runningDatabaseUrl(dataDir, START_PATIENCE_MS);
    if (url !== null) return url;
    throw new OperatorError(
      `${error.fact}, and its database cannot be reached from here: run the command where that one runs (in the same container, for example), or stop it first.`,
    );
  });
  if (typeof lock === "string") return { directUrl: lock, url: lock, ...notStarted, isRunning: true };
  try {
    requireItsDatabase(dataDir);
    const { url, stop } = await startEmbeddedPostgres({ dataDir, lock, say });
    const stopAll = () => stop().finally(lock.release);
    return { directUrl: url, url, ...notStarted, stop: stopAll };
  } catch (error) {
    lock.release();
    throw error;
  }
}
