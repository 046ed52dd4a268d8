import { randomBytes } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { holderOfOldLock } from "#lib/runtime/processes.ts";
import { OperatorError, say } from "#lib/runtime/terminal.ts";
import { isOnLocalFileSystem, kernelId } from "./file-system.ts";
import { beat, BEAT_MS, type Holder, isBeating, publish, type Purpose, readHolder } from "./holder-record.ts";
import { type KernelLock, takeKernelLock } from "./kernel-lock.ts";

/** Empty; the kernel lock is on it. */
const LOCK = "data.lock";
/** Names the holder; its modification time is the heartbeat. */
const RECORD = "running.json";
const OLD_LOCKS = ["running.lock", "postgres.lock"];
/** Milliseconds to wait for another command to end. */
const COMMAND_PATIENCE = 30_000;
/** Milliseconds in which the threads of a killed process end and release its lock. */
const ENDING_PATIENCE = 1_000;

export type DataLock = {
  dataDir: string;
  /** For the guard of the database server, which keeps it beating until the server has ended. */
  record: string;
  /** Resolves when another process has taken over, which is possible only without kernel locks. */
  lost: Promise<void>;
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
 * Holds a data folder for the life of this process, against every process that uses the folder: also those in other
 * containers and on other machines.
 * @param dataDir an existing folder
 * @throws DataFolderInUse
 */
export async function lockDataDir(dataDir: string, purpose: Purpose): Promise<DataLock> {
  const begun = Date.now();
  for (let told = false; ; told = true) {
    const taken = await tryLockDataDir(dataDir, purpose);
    if ("release" in taken) return taken;
    const { holder } = taken;
    const isCommand = holder?.purpose === "command";
    const patience = isCommand ? COMMAND_PATIENCE : purpose === "service" ? ENDING_PATIENCE : 0;
    if (Date.now() - begun >= patience) throw new DataFolderInUse(dataDir, holder);
    if (isCommand && !told) say(`Waiting for another command that uses ${dataDir} (process ${holder.pid}).`);
    await sleep(250);
  }
}

async function tryLockDataDir(
  dataDir: string,
  purpose: Purpose,
): Promise<DataLock | { holder: Holder | null }> {
  const file = path.join(dataDir, LOCK);
  const record = path.join(dataDir, RECORD);
  const kernelLock = takeKernelLock(file);
  if (kernelLock === "held") return { holder: readHolder(record) };
  const own = typeof kernelLock === "string" ? null : kernelLock;
  const mine: Holder = {
    token: randomBytes(16).toString("hex"),
    pid: process.pid,
    host: hostname(),
    purpose,
    since: new Date().toISOString(),
    kernel: kernelId(),
    lock: own === null ? null : statSync(file).ino,
  };
  try {
    refuseBesideOldVersion(dataDir);
    const left = readHolder(record);
    if (left !== null && mayLive(left, mine, dataDir) && (await isBeating(record))) {
      own?.release();
      return { holder: left };
    }
    const winner = publish(record, mine, left);
    if (winner !== null) {
      own?.release();
      return { holder: winner };
    }
  } catch (error) {
    own?.release();
    throw error;
  }
  return hold(dataDir, record, mine, own);
}

/** An earlier version, still running, holds only these. */
function refuseBesideOldVersion(dataDir: string): void {
  for (const file of OLD_LOCKS.map((name) => path.join(dataDir, name))) {
    const pid = holderOfOldLock(file);
    if (pid !== null && pid !== process.pid) {
      throw new OperatorError(
        `An earlier version of Sluice runs on ${dataDir} (process ${pid}): stop it first.`,
      );
    }
    rmSync(file, { force: true });
  }
}

/** Whether the holder may still run although the kernel lock is free. */
function mayLive(left: Holder, mine: Holder, dataDir: string): boolean {
  // It had no kernel lock, or one on a file that was replaced since.
  if (left.lock === null || left.lock !== mine.lock) return true;
  return left.kernel !== mine.kernel && !isOnLocalFileSystem(dataDir);
}

function hold(dataDir: string, record: string, mine: Holder, kernelLock: KernelLock | null): DataLock {
  let lose: () => void = () => undefined;
  const lost = new Promise<void>((resolve) => (lose = resolve));
  const timer = setInterval(() => {
    if (beat(record, mine)) return;
    clearInterval(timer);
    lose();
  }, BEAT_MS).unref();
  return {
    dataDir,
    record,
    lost,
    release: () => {
      clearInterval(timer);
      if (readHolder(record)?.token === mine.token) rmSync(record, { force: true });
      kernelLock?.release();
    },
  };
}

function factOf(dataDir: string, holder: Holder | null): string {
  if (holder === null) return `${dataDir} is in use by another process of Sluice`;
  const { pid, host, since, purpose } = holder;
  const whom = `process ${pid} on ${host}, since ${since}`;
  return purpose === "command"
    ? `A command of Sluice uses ${dataDir} (${whom})`
    : `Sluice already runs on ${dataDir} (${whom})`;
}
