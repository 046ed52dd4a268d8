import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type * as Sqlite from "node:sqlite";

/*
 * Node has no call for file locks, but its SQLite takes one for a transaction: the kernel holds it for the life of
 * the process and shows it to every process of the machine, also to those in other containers
 * (docs/decisions/0038-local-lock.md).
 *
 * POSIX drops a process's locks on a file when the process closes any descriptor of it, so the holder must not open
 * the lock file in another way.
 */

export type KernelLock = { release: () => void };

const BUSY = 5;
const READ_ONLY = 8;
const CANNOT_OPEN = 14;

/** A collected database object would close its file. */
const held = new Set<Sqlite.DatabaseSync>();

/**
 * Takes an exclusive lock on a file, which is created empty.
 * @returns "unsupported" when the file system or this Node has no locks
 * @throws Error with code and path when the file cannot be written to
 */
export function takeKernelLock(file: string): KernelLock | "held" | "unsupported" {
  const taken = take(file);
  if (taken !== "held") return taken;
  // SQLite reports "no locks available" as a held lock, too.
  const probe = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    const probed = take(probe);
    if (typeof probed === "string") return "unsupported";
    probed.release();
    return "held";
  } finally {
    rmSync(probe, { force: true });
  }
}

/** Waits for the lock. Without kernel locks the work runs at once. */
export async function withKernelLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  let lock = takeKernelLock(file);
  for (; lock === "held"; lock = takeKernelLock(file)) await sleep(200);
  try {
    return await work();
  } finally {
    if (lock !== "unsupported") lock.release();
  }
}

/**
 * Takes a lock that several processes may hold at once, and that `takeKernelLock` finds held. Waits while another process
 * has the exclusive one.
 */
export async function shareKernelLock(file: string): Promise<KernelLock | "unsupported"> {
  let lock = take(file, SHARED);
  for (; lock === "held"; lock = take(file, SHARED)) await sleep(50);
  return lock;
}

// Without a journal file.
const EXCLUSIVE = "PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE";
/** A reading transaction. */
const SHARED = "PRAGMA journal_mode = MEMORY; BEGIN; SELECT count(*) FROM sqlite_master";

function take(file: string, statements = EXCLUSIVE): KernelLock | "held" | "unsupported" {
  // Undefined in builds of Node without SQLite.
  const sqlite = process.getBuiltinModule("node:sqlite") as typeof Sqlite | undefined;
  if (sqlite === undefined) return "unsupported";
  let database: Sqlite.DatabaseSync | undefined;
  try {
    database = new sqlite.DatabaseSync(file);
    database.exec(statements);
  } catch (error) {
    if (database?.isOpen) database.close();
    return meaningOf(error, file);
  }
  const open = database;
  held.add(open);
  return {
    release: () => {
      if (held.delete(open)) open.close();
    },
  };
}

function meaningOf(error: unknown, file: string): "held" | "unsupported" {
  // The low byte is the primary result code.
  const code = Number((error as { errcode?: number }).errcode) & 0xff;
  if (code === BUSY) return "held";
  if (code === READ_ONLY || code === CANNOT_OPEN) {
    throw Object.assign(new Error(`${file} cannot be opened for writing`), {
      code: code === READ_ONLY ? "EROFS" : "EACCES",
      path: file,
    });
  }
  return "unsupported";
}
