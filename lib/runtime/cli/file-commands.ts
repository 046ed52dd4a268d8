import { existsSync } from "node:fs";
import path from "node:path";
import type { Env } from "#lib/base/env.ts";
import { restoreBackup } from "#lib/runtime/backup/restore-backup.ts";
import { type Verified, verifyBackup } from "#lib/runtime/backup/verify-backup.ts";
import { writeBackup } from "#lib/runtime/backup/write-backup.ts";
import { openDataFolder } from "#lib/runtime/data-folder.ts";
import { lockDataDir } from "#lib/runtime/lock/data-lock.ts";
import { openCommandDatabase } from "#lib/runtime/postgres/access.ts";
import { startEmbeddedPostgres } from "#lib/runtime/postgres/embedded.ts";
import {
  hasIncompleteRestore,
  markIncompleteRestore,
  unmarkIncompleteRestore,
} from "#lib/runtime/postgres/incomplete-restore.ts";
import { endCommittedRestore } from "#lib/runtime/postgres/interrupted-restore.ts";
import { OperatorError, say, step } from "#lib/runtime/terminal.ts";
import type { CommandLine } from "./commands.ts";

/* Commands that need no Prisma client. */

/**
 * @returns for --json
 * @throws OperatorError
 */
export async function runFileCommand(line: CommandLine, settings: Env): Promise<object> {
  // Runs the exit handlers, which remove an unfinished archive.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  if (line.name === "backup") return backup(line.file, settings);
  if (line.name === "restore") return restore(line.file, settings);
  return verify(line.file);
}

async function backup(file: string, settings: Env): Promise<object> {
  const dataDir = await openDataFolder(settings, say);
  requireDatabase(settings, dataDir);
  const { directUrl, stop } = await openCommandDatabase(settings, { mayLackSecrets: true });
  try {
    const verified = await step(`Writing ${file}`, () => writeBackup({ url: directUrl, file }));
    say(`${file} is complete and was read again: ${describe(verified)}.`);
    say(
      "It has no keys: without auth-secret and encryption-key of DATA_DIR everybody signs in again, and tokens of other servers are entered again.",
    );
    return shown(file, verified);
  } finally {
    await stop();
  }
}

async function verify(file: string): Promise<object> {
  const verified = await step(`Reading ${file}`, () => verifyBackup(file));
  say(`${file} is complete: ${describe(verified)}.`);
  return shown(file, verified);
}

async function restore(file: string, settings: Env): Promise<object> {
  const dataDir = await openDataFolder(settings, say);
  const verified = await step(`Reading ${file}`, () => verifyBackup(file));
  if (settings.DATABASE_URL === undefined) await restoreEmbedded(file, dataDir, verified);
  else await load(settings.DIRECT_URL ?? settings.DATABASE_URL, file, dataDir);
  say(`Restored ${describe(verified)}.`);
  return shown(file, verified);
}

async function restoreEmbedded(file: string, dataDir: string, { manifest }: Verified): Promise<void> {
  const backup = `the backup of ${manifest.created_at}`;
  const lock = await lockDataDir(dataDir, "command");
  try {
    // The same command repeated.
    if ((await endCommittedRestore(lock)) === backup) return;
    if (hasDatabase(dataDir) && !hasIncompleteRestore(dataDir)) {
      throw new OperatorError(
        `${dataDir} has a database already: move it away, or set DATA_DIR to another folder. Nothing was changed.`,
      );
    }
    markIncompleteRestore(dataDir, backup);
    const own = await startEmbeddedPostgres({ dataDir, lock, say, isRestore: true });
    try {
      await load(own.url, file, dataDir);
    } finally {
      await own.stop();
    }
  } finally {
    lock.release();
  }
}

/** @throws OperatorError */
export function requireDatabase(settings: Env, dataDir: string): void {
  if (settings.DATABASE_URL === undefined && !hasDatabase(dataDir))
    throw new OperatorError(`There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL.`);
}

function hasDatabase(dataDir: string): boolean {
  return existsSync(path.join(dataDir, "postgres", "PG_VERSION"));
}

async function load(url: string, file: string, dataDir: string): Promise<void> {
  const onCommitted = () => unmarkIncompleteRestore(dataDir);
  await step("Restoring", () => restoreBackup({ url, file, onCommitted }));
}

function shown(file: string, { manifest, rows, bytes }: Verified): object {
  return { file, created_at: manifest.created_at, tables: manifest.tables.length, rows, bytes };
}

function describe({ manifest, rows, bytes }: Verified): string {
  const megabytes = (bytes / 1_000_000).toFixed(1);
  return `the database of ${manifest.created_at}, ${manifest.tables.length} tables with ${rows} rows, ${megabytes} MB`;
}
