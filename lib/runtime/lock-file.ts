import { readFileSync, renameSync, rmSync, writeFileSync, linkSync } from "node:fs";
import { isAlive, startMark } from "./process-info.ts";

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
