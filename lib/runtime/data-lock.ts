import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError, say } from "#lib/runtime/terminal.ts";
import { type KernelLock, takeKernelLock } from "./kernel-lock.ts";

/** Empty; the kernel lock is on it. */
const LOCK = "data.lock";
/** Names the holder for the sentence of a refusal; the lock alone decides. */
const RECORD = "running.json";
/** Time for another command to end. */
const COMMAND_PATIENCE_MS = 30_000;
/** Time in which the threads of a killed process end and release its lock. */
const ENDING_PATIENCE_MS = 1_000;

export type Purpose = "service" | "command";

type Holder = {
  pid: number;
  host: string;
  purpose: Purpose;
  since: string;
};

export type DataLock = {
  dataDir: string;
  release: () => void;
};

/** The data folder has a holder. */
export class DataFolderInUse extends OperatorError {
  override name = "DataFolderInUse";
  /** Without advice and full stop. */
  readonly fact: string;
  constructor(dataDir: string, holder: Holder | null) {
    const fact = factOf(dataDir, holder);
    const advice =
      holder?.purpose === "command"
        ? "start again when it has ended"
        : "stop that one, or set DATA_DIR to another folder";
    super(`${fact}: ${advice}.`);
    this.fact = fact;
  }
}

/**
 * Holds a data folder for the life of this process, against every process of the machine, also in other containers.
 * @param dataDir an existing folder
 * @throws DataFolderInUse
 * @throws OperatorError on a file system without file locks
 */
export async function lockDataDir(dataDir: string, purpose: Purpose): Promise<DataLock> {
  const begun = Date.now();
  for (let isTold = false; ; isTold = true) {
    const taken = tryLockDataDir(dataDir, purpose);
    if ("release" in taken) return taken;
    const { holder } = taken;
    const isCommand = holder?.purpose === "command";
    const patience = isCommand ? COMMAND_PATIENCE_MS : purpose === "service" ? ENDING_PATIENCE_MS : 0;
    if (Date.now() - begun >= patience) throw new DataFolderInUse(dataDir, holder);
    if (isCommand && !isTold)
      say(`Waiting for another command that uses ${dataDir} (process ${holder.pid}).`);
    await sleep(250);
  }
}

function tryLockDataDir(dataDir: string, purpose: Purpose): DataLock | { holder: Holder | null } {
  const record = path.join(dataDir, RECORD);
  const lock = takeKernelLock(path.join(dataDir, LOCK));
  if (lock === "held") return { holder: readHolder(record) };
  if (lock === "unsupported") {
    throw new OperatorError(
      `DATA_DIR ${dataDir} has no file locks, which keep a second Sluice off the same data: set DATA_DIR to a folder on a local disk.`,
    );
  }
  try {
    publish(record, purpose);
  } catch (error) {
    lock.release();
    throw error;
  }
  return { dataDir, release: () => release(record, lock) };
}

/** @returns null without a readable record */
function readHolder(record: string): Holder | null {
  try {
    const holder = JSON.parse(readFileSync(record, "utf8")) as Holder;
    return typeof holder.pid === "number" ? holder : null;
  } catch {
    return null;
  }
}

function publish(record: string, purpose: Purpose): void {
  const holder: Holder = { pid: process.pid, host: hostname(), purpose, since: new Date().toISOString() };
  const tempPath = `${record}.new`;
  writeFileSync(tempPath, JSON.stringify(holder), { mode: 0o600 });
  renameSync(tempPath, record);
}

function release(record: string, lock: KernelLock): void {
  rmSync(record, { force: true });
  lock.release();
}

function factOf(dataDir: string, holder: Holder | null): string {
  if (holder === null) return `${dataDir} is in use by another process of Sluice`;
  const { pid, host, since, purpose } = holder;
  const whom = `process ${pid} on ${host}, since ${since}`;
  return purpose === "command"
    ? `A command of Sluice uses ${dataDir} (${whom})`
    : `Sluice already runs on ${dataDir} (${whom})`;
}
