import type { Env } from "#lib/base/env.ts";
import { openDataFolder } from "#lib/runtime/data-folder.ts";
import { checkDataFolder, checkOwnDatabase, endFirstStart } from "#lib/runtime/first-start.ts";
import { DataFolderInUse, lockDataDir } from "#lib/runtime/lock/data-lock.ts";
import { OperatorError, say } from "#lib/runtime/terminal.ts";
import { startEmbeddedPostgres } from "./embedded.ts";
import { refuseIncompleteRestore } from "./incomplete-restore.ts";
import { endCommittedRestore } from "./interrupted-restore.ts";
import { runningDatabaseUrl } from "./running.ts";

/** Time in which a service that is starting becomes reachable. */
const START_PATIENCE_MS = 15_000;

export type DatabaseAccess = {
  /** For migrations and backups. */
  directUrl: string;
  /** For everything else, perhaps through a pooler. */
  url: string;
};

export function accessToBuiltIn(url: string): DatabaseAccess {
  return { directUrl: url, url };
}

/** @returns null without DATABASE_URL */
export function accessToOwn(settings: Pick<Env, "DATABASE_URL" | "DIRECT_URL">): DatabaseAccess | null {
  const { DATABASE_URL: url, DIRECT_URL: direct } = settings;
  return url === undefined ? null : { directUrl: direct ?? url, url };
}

export type CommandDatabase = DatabaseAccess & {
  dataDir: string;
  /** Of a running service; false where it is not known, as with an operator's own database. */
  isRunning: boolean;
  /** Call it when secrets and migrated database exist. */
  settled: () => void;
  stop: () => Promise<void>;
};

/**
 * The database for one command: an operator's own, that of the running service, or the built-in one, started for the
 * command.
 * @throws OperatorError when the data folder is in use and its database out of reach
 */
export async function openCommandDatabase(
  settings: Env,
  { mayLackSecrets = false } = {},
): Promise<CommandDatabase> {
  const dataDir = await openDataFolder(settings, say);
  const notStarted = { isRunning: false, settled: () => undefined, stop: () => Promise.resolve() };
  const own = accessToOwn(settings);
  if (own !== null) {
    if (!mayLackSecrets) await checkOwnDatabase(own.directUrl, dataDir, settings);
    return { ...own, ...notStarted, dataDir };
  }
  const lock = await lockDataDir(dataDir, "command").catch(async (error: unknown) => {
    if (!(error instanceof DataFolderInUse)) throw error;
    refuseIncompleteRestore(dataDir);
    const url = await runningDatabaseUrl(dataDir, undefined, START_PATIENCE_MS);
    if (url !== null) return url;
    throw new OperatorError(
      `${error.fact}, and its database cannot be reached from here: run the command where that one runs (in the same container, for example), or stop it first.`,
    );
  });
  if (typeof lock === "string") return { ...accessToBuiltIn(lock), ...notStarted, dataDir, isRunning: true };
  try {
    await endCommittedRestore(lock);
    refuseIncompleteRestore(dataDir);
    if (!mayLackSecrets) checkDataFolder(dataDir);
    const server = await startEmbeddedPostgres({ dataDir, lock, say });
    const stop = async () => {
      await server.stop();
      lock.release();
    };
    const settled = () => endFirstStart(dataDir);
    return { ...accessToBuiltIn(server.url), dataDir, isRunning: false, settled, stop };
  } catch (error) {
    lock.release();
    throw error;
  }
}
