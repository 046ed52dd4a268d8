import { execFileSync } from "node:child_process";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

/**
 * Whether a process runs under this id. A zombie counts as gone: its parent has merely not collected it yet.
 * @param pid process id, positive
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return statFields(pid)?.[0] !== "Z";
}

/**
 * An opaque mark that two processes under the same id never share, so that a process id that was given out
 * again is not mistaken for the process that wrote it down.
 * @returns null when the process does not exist or the system does not tell
 */
export function startMark(pid: number): string | null {
  const fields = statFields(pid);
  // Field 22 of proc_pid_stat(5), the start in clock ticks since boot, is number 19 after the state.
  if (fields !== null) return `${bootId()}:${fields[19] ?? ""}`;
  return ps(pid, "lstart=");
}

/**
 * The command line of a process.
 * @returns null when the process does not exist or the system does not tell
 */
export function commandLine(pid: number): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean);
  } catch {
    return ps(pid, "command=")?.split(" ") ?? null;
  }
}

/**
 * Waits until a process is gone.
 * @param limit milliseconds
 * @returns whether it went in time
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
    // The second field is the program's name in parentheses and may hold spaces and parentheses itself.
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
 * Takes a lock that ends with this process: the file names who holds it, and a file whose holder is gone
 * (killed, or the machine was restarted) counts as free.
 * @param file absolute path in an existing folder
 * @returns null once it is ours, else who holds it
 */
export function tryLock(file: string): LockHolder | null {
  const mine = `${file}.${process.pid}`;
  try {
    const holder: LockHolder = { pid: process.pid, mark: startMark(process.pid) };
    writeFileSync(mine, JSON.stringify(holder));
    for (;;) {
      try {
        // A link is made whole or not at all, so nobody ever reads half a file.
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

/** Gives the lock back. */
export function unlock(file: string): void {
  if (readHolder(file)?.pid === process.pid) rmSync(file, { force: true });
}

/**
 * Waits for a lock, runs the work and gives the lock back.
 * @param onWait told once when somebody else holds it
 */
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

/** Moves a dead holder's file away; puts it back should somebody have taken the lock in between. */
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
      // Taken once more meanwhile: the newest holder has it.
    }
  }
  rmSync(aside, { force: true });
}
