import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "./terminal.ts";

/*
 * Node has no call for file locks, but its SQLite takes one for a transaction: the kernel holds it for the life of
 * the process and shows it to every process of the machine, also to those in other containers
 * (docs/decisions/0038-local-lock.md). POSIX drops a process's locks on a file when the process closes any descriptor of
 * it, so the holder must not open the lock file in another way.
 */

/** Empty file that is locked. */
const LOCK = "data.lock";
/** File that names the holder, for the sentence of a refusal. Only the lock decides. */
const RECORD = "running.json";
/** Longest wait for another command to end. */
const COMMAND_PATIENCE_MS = 30_000;
/** Longest wait for the threads of a killed process, which hold its lock until they end. */
const ENDING_PATIENCE_MS = 1_000;

export type Purpose = "service" | "command";

type Holder = { pid: number; host: string; purpose: Purpose };

export type DataLock = { dataDir: string; release: () => void };

/** Another process holds the data folder. */
export class DataFolderInUse extends OperatorError {
  override name = "DataFolderInUse";
}

/**
 * Holds a data folder for the life of this process, against every process of the machine.
 * @param dataDir an existing folder
 * @throws DataFolderInUse
 * @throws OperatorError on a file system without file locks
 */
export async function lockDataDir(dataDir: string, purpose: Purpose): Promise<DataLock> {
  const record = path.join(dataDir, RECORD);
  for (const begun = Date.now(); ; await sleep(250)) {
    const lock = takeKernelLock(dataDir);
    if (lock !== null) {
      const holder: Holder = { pid: process.pid, host: hostname(), purpose };
      writeFileSync(record, JSON.stringify(holder), { mode: 0o600 });
      const release = () => {
        rmSync(record, { force: true });
        if (held.delete(lock)) lock.close();
      };
      return { dataDir, release };
    }
    const holder = readHolder(record);
    const isCommand = holder?.purpose === "command";
    if (Date.now() - begun < (isCommand ? COMMAND_PATIENCE_MS : ENDING_PATIENCE_MS)) continue;
    const whom = holder === null ? "" : ` (process ${holder.pid} on ${holder.host})`;
    throw new DataFolderInUse(
      `${isCommand ? "A command of Sluice" : "Sluice already"} runs on ${dataDir}${whom}: stop that one, or set DATA_DIR to another folder.`,
    );
  }
}

/** References that keep the database objects from being collected, which would close their files. */
const held = new Set<DatabaseSync>();

/** Takes the lock; null when another process holds it. */
function takeKernelLock(dataDir: string): DatabaseSync | null {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path.join(dataDir, LOCK));
    // In memory: no journal file.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    if (database?.isOpen) database.close();
    const { errcode } = error as { errcode?: number };
    // The low byte is the primary result code.
    const code = Number(errcode) & 0xff;
    if (code === 5) return null;
    // SQLITE_READONLY (8) or SQLITE_CANTOPEN (14).
    if (code === 8 || code === 14)
      throw new OperatorError(
        `DATA_DIR ${dataDir} cannot be written to: start Sluice as the user it belongs to, or set DATA_DIR to another folder.`,
      );
    throw new OperatorError(
      `DATA_DIR ${dataDir} has no file locks, which keep a second Sluice off the same data: set DATA_DIR to a folder on a local disk.`,
    );
  }
  held.add(database);
  return database;
}

/** Reads the record of the holder; null without a readable one. */
function readHolder(record: string): Holder | null {
  try {
    return JSON.parse(readFileSync(record, "utf8")) as Holder;
  } catch {
    return null;
  }
}
