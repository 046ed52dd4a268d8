import {
  closeSync,
  existsSync,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export type Purpose = "service" | "command";

export type Holder = {
  token: string;
  pid: number;
  host: string;
  purpose: Purpose;
  since: string;
  kernel: string;
  /** Inode of the file with the kernel lock; null without one. */
  lock: number | null;
};

/** Milliseconds between two heartbeats. */
export const BEAT_MS = 2_000;
/** Milliseconds without a heartbeat after which a holder counts as dead. */
const SILENCE_MS = 5 * BEAT_MS;

/** @returns null without a readable record */
export function readHolder(record: string): Holder | null {
  try {
    const holder = JSON.parse(readFileSync(record, "utf8")) as Holder;
    return typeof holder.token === "string" ? holder : null;
  } catch {
    return null;
  }
}

/**
 * Writes this holder's record in place of a dead holder's.
 * @returns null, or the holder that was faster
 */
export function publish(record: string, mine: Holder, dead: Holder | null): Holder | null {
  const half = `${record}.${mine.token}`;
  writeFileSync(half, JSON.stringify(mine), { mode: 0o600 });
  try {
    if (existsSync(record)) setAside(record, dead, mine);
    // A link, unlike a rename, does not replace another process's record.
    linkSync(half, record);
    return null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return readHolder(record);
  } finally {
    rmSync(half, { force: true });
  }
}

/** Removes a dead holder's record; restores it when another process has replaced it in between. */
function setAside(record: string, dead: Holder | null, mine: Holder): void {
  const aside = `${record}.${mine.token}.old`;
  try {
    renameSync(record, aside);
    const moved = readHolder(aside);
    if (moved !== null && moved.token !== dead?.token) linkSync(aside, record);
  } catch (error) {
    if (!["ENOENT", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/** @returns false when the record belongs to another process now */
export function beat(record: string, mine: Holder): boolean {
  try {
    const holder = readHolder(record);
    // Somebody has removed it.
    if (holder === null) return publish(record, mine, null) === null;
    if (holder.token !== mine.token) return false;
    const now = new Date();
    utimesSync(record, now, now);
  } catch {
    // The disk is full or away: the next heartbeat tries again.
  }
  return true;
}

/** Watches a record for up to ten seconds, because the clocks of two machines differ. */
export async function isBeating(record: string): Promise<boolean> {
  const first = lastBeat(record);
  for (const end = Date.now() + SILENCE_MS; Date.now() < end;) {
    await sleep(250);
    const last = lastBeat(record);
    if (last === null) return false;
    if (last !== first) return true;
  }
  return false;
}

/** Opens the file, because network file systems cache the attributes of closed ones. */
function lastBeat(record: string): number | null {
  let file: number;
  try {
    file = openSync(record, "r");
  } catch {
    return null;
  }
  try {
    return fstatSync(file).mtimeMs;
  } finally {
    closeSync(file);
  }
}
