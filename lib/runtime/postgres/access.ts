import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Env } from "#lib/base/env.ts";
import { DataFolderInUse, type DataLock, lockDataDir } from "#lib/runtime/data-lock.ts";
import { commandLine } from "#lib/runtime/release/release.ts";
import { openDataDir } from "#lib/runtime/settings.ts";
import { OperatorError, say } from "#lib/runtime/terminal.ts";
import { DATABASE, SUPERUSER } from "./cluster.ts";
import { connect } from "./connect.ts";
import { startEmbeddedPostgres } from "./embedded.ts";

/** Longest wait for a service that is starting. */
const START_PATIENCE_MS = 15_000;

/**
 * Opens the database for a command: the operator's own, that of the running service, or the built-in one, which it starts.
 * `directUrl` is for migrations and backups; `url` is for all else and may lead through a pooler.
 * @throws OperatorError when the data folder is in use and its database out of reach
 */
export async function openCommandDatabase(settings: Env) {
  const dataDir = openDataDir(settings);
  // With an operator's own database, nobody knows whether a service runs.
  const notStarted = { dataDir, isRunning: false, stop: () => Promise.resolve() };
  const { DATABASE_URL: own, DIRECT_URL: directUrl = "" } = settings;
  if (own !== undefined) return { url: own, directUrl, ...notStarted };
  let lock: DataLock;
  try {
    lock = await lockDataDir(dataDir, "command");
  } catch (error) {
    if (!(error instanceof DataFolderInUse)) throw error;
    const url = await runningDatabaseUrl(dataDir, START_PATIENCE_MS);
    if (url !== null) return { directUrl: url, url, ...notStarted, isRunning: true };
    throw new OperatorError(
      `${error.message} Its database cannot be reached from here: run the command where that one runs, such as in the same container.`,
    );
  }
  try {
    requireItsDatabase(dataDir);
    const { url, stop } = await startEmbeddedPostgres({ dataDir, lock, say });
    return { directUrl: url, url, ...notStarted, stop: () => stop().finally(lock.release) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Requires the database if the folder has keys, because keys are created after it.
 * @throws OperatorError that says where the database may be
 */
export function requireItsDatabase(dataDir: string): void {
  const has = (name: string) => existsSync(path.join(dataDir, name));
  if (has("postgres/PG_VERSION") || !has("auth-secret")) return;
  throw new OperatorError(
    `${dataDir} has keys (auth-secret, encryption-key), but no database (the folder postgres): put it back, restore a backup (${commandLine("restore FILE")}), or set DATABASE_URL if you use a PostgreSQL of your own. To begin with an empty database, move the keys away.`,
  );
}

/**
 * URL of the built-in database of a running Sluice. A password proves that it is this database.
 * @param patienceMs longest wait for a starting server
 * @returns null when it cannot be reached, for example from another container, which has its own 127.0.0.1
 */
export async function runningDatabaseUrl(dataDir: string, patienceMs = 0): Promise<string | null> {
  const read = (name: string) => readFile(path.join(dataDir, name), "utf8").catch(() => "");
  for (const end = Date.now() + patienceMs; ; await sleep(250)) {
    // Line 4 has the port, line 8 the status.
    const lines = (await read("postgres/postmaster.pid")).split("\n");
    const password = (await read("postgres.password")).trim();
    if (lines[7]?.trim() === "ready" && password !== "") {
      const url = `postgresql://${SUPERUSER}:${password}@127.0.0.1:${Number(lines[3])}/${DATABASE}`;
      return connect(url, "sluice-command", 0).then(
        (client) => client.end().then(() => url),
        () => null,
      );
    }
    if (Date.now() >= end) return null;
  }
}
