import { execFileSync } from "node:child_process";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** Zombies count as ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return statFields(pid)?.[0] !== "Z";
}

/**
 * Differs between processes that have had the same id.
 * @returns null when unknown
 */
export function startMark(pid: number): string | null {
  const fields = statFields(pid);
  // starttime is field 22 of proc_pid_stat(5); these begin with field 3.
  if (fields !== null) return `${bootId()}:${fields[19] ?? ""}`;
  return ps(pid, "lstart=");
}

export function commandLine(pid: number): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean);
  } catch {
    return ps(pid, "command=")?.split(" ") ?? null;
  }
}

/**
 * @param limit milliseconds
 * @returns whether the process ended in time
 */
export async function waitForEnd(pid: number, limit: number): Promise<boolean> {
  const end = Date.now() + limit;
  while (isAlive(pid)) {
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return true;
}

function statFields(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field, in parentheses, may contain spaces.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}

function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}

function ps(pid: number, column: string): string | null {
  try {
    const output = execFileSync("ps", ["-o", column, "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return output.trim() || null;
  } catch {
    return null;
  }
}

export type LockHolder = { pid: number; mark: string | null };

/**
 * Takes a lock file; that of an ended process counts as free.
 * @returns null once taken, else the holder
 */
export function tryLock(file: string): LockHolder | null {
  const mine = `${file}.${process.pid}`;
  try {
    const holder: LockHolder = { pid: process.pid, mark: startMark(process.pid) };
    writeFileSync(mine, JSON.stringify(holder));
    for (;;) {
      try {
        // Linking is atomic, so no process reads a partial file.
        linkSync(mine, file);
        return null;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      const holder = readHolder(file);
      if (holder !== null && isHeld(holder)) return holder;
      setAside(file, holder);
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

export function unlock(file: string): void {
  if (readHolder(file)?.pid === process.pid) rmSync(file, { force: true });
}

/** @param onWait called once when another process holds the lock */
export async function withLock<T>(
  file: string,
  work: () => Promise<T>,
  onWait?: (holder: LockHolder) => void,
): Promise<T> {
  for (let told = false; ;) {
    const holder = tryLock(file);
    if (holder === null) break;
    if (!told) onWait?.(holder);
    told = true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  try {
    return await work();
  } finally {
    unlock(file);
  }
}

function isHeld(holder: LockHolder): boolean {
  return isAlive(holder.pid) && startMark(holder.pid) === holder.mark;
}

function readHolder(file: string): LockHolder | null {
  try {
    const holder = JSON.parse(readFileSync(file, "utf8")) as LockHolder;
    return Number.isInteger(holder.pid) && holder.pid > 0 ? holder : null;
  } catch {
    return null;
  }
}

/** Removes an ended holder's file; restores it when another process took the lock in between. */
function setAside(file: string, dead: LockHolder | null): void {
  const aside = `${file}.${process.pid}.old`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  const moved = readHolder(aside);
  if (moved !== null && (moved.pid !== dead?.pid || moved.mark !== dead.mark)) {
    try {
      linkSync(aside, file);
    } catch {
      // Another process has it.
    }
  }
  rmSync(aside, { force: true });
}
