import { existsSync, statSync } from "node:fs";
import { mkdir, readdir, rm, statfs } from "node:fs/promises";
import path from "node:path";
import { backupStatus } from "#lib/base/backup-status.ts";
import { dayIn } from "#lib/base/day-schema.ts";
import { env } from "#lib/base/env.ts";
import { log } from "#lib/base/log.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { explainWrite, PARTIAL } from "./archive.ts";
import { type Verified, writeBackup } from "./backup.ts";

/* One archive a night, named by its day; the newest ones are kept. Files with other names are left alone. */

const NAME = /^sluice-\d{4}-\d\d-\d\d\.zip$/;
/** Time after midnight at which a night's backup is due. */
const DUE_AFTER_MIDNIGHT_MS = 3 * 3_600_000;
/** An unfinished archive without a write for so long is abandoned. A running backup writes more often. */
const ABANDONED_AFTER_MS = 3_600_000;
/** Disk space that a backup leaves free, because a full disk stops the database. */
const RESERVE_BYTES = 512 * 1024 * 1024;

export function archiveName(timeZone: string, now: Date): string {
  return `sluice-${dayIn(timeZone, new Date(now.getTime() - DUE_AFTER_MIDNIGHT_MS))}.zip`;
}

type Archive = { file: string; at: Date; size: number };

/** Nightly archives, newest first. Ignores archives of later nights, which were made with a wrong clock. */
async function listNightly(folder: string, tonight: string): Promise<Archive[]> {
  const names = (await namesIn(folder)).filter((name) => NAME.test(name) && name <= tonight);
  const found = names.flatMap((name) => {
    const file = path.join(folder, name);
    const facts = factsOf(file);
    return facts === undefined ? [] : [{ file, at: facts.mtime, size: facts.size }];
  });
  return found.sort((a, b) => (a.file < b.file ? 1 : -1));
}

/** Size and times of a file; undefined when another instance has removed or renamed it. */
const factsOf = (file: string) => statSync(file, { throwIfNoEntry: false });

/** Stores that backups are on, so that screens show it before the first one is made. */
export async function announceBackups(): Promise<void> {
  const { BACKUP_DIR: folder } = env();
  if (folder !== undefined) await backupStatus.set({ looked_at: new Date().toISOString(), folder });
}

/**
 * Makes the backup of the night, which is due from 03:00 on; a missed one is made later. Stores the result for screens and
 * metrics. Logs an OperatorError as one line.
 */
export async function backUpWhenDue(): Promise<void> {
  const { BACKUP_DIR: folder, BACKUP_KEEP: keep, TIME_ZONE, DIRECT_URL: url = "" } = env();
  if (folder === undefined) return;
  let { failure } = await backupStatus.read();
  const name = archiveName(TIME_ZONE, new Date());
  try {
    if (!existsSync(path.join(folder, name))) {
      const { rows, bytes } = await makeNightlyBackup({ url, folder, keep, name });
      log.info({ file: path.join(folder, name), rows, bytes }, "nightly backup written");
    }
  } catch (error) {
    const reason = (error as Error).message;
    log.error(error instanceof OperatorError ? { problem: reason } : { err: error }, "nightly backup failed");
    failure = { at: new Date().toISOString(), reason };
  }
  // Another instance may have made it.
  const [newest] = await listNightly(folder, name);
  const success = newest === undefined ? null : { at: newest.at.toISOString(), bytes: newest.size };
  await backupStatus.set({ looked_at: new Date().toISOString(), folder, success, failure });
}

/**
 * Writes an archive, then deletes older ones.
 * @param options.keep number of archives to keep, with the new one
 * @throws OperatorError, also when the disk has too little space. Then it deletes nothing
 */
export async function makeNightlyBackup(options: {
  url: string;
  folder: string;
  keep: number;
  name: string;
}): Promise<Verified> {
  const { url, folder, keep, name } = options;
  const file = path.join(folder, name);
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw explainWrite(error, file);
  });
  for (const other of await namesIn(folder)) {
    const partial = path.join(folder, other);
    const isOurs = other.startsWith("sluice-") && other.endsWith(PARTIAL);
    const writtenAt = (isOurs ? factsOf(partial)?.mtimeMs : undefined) ?? Infinity;
    if (Date.now() - writtenAt > ABANDONED_AFTER_MS) await rm(partial, { force: true });
  }
  const former = await listNightly(folder, name);
  await requireRoom(folder, 1.5 * (former[0]?.size ?? 0) + RESERVE_BYTES);
  const verified = await writeBackup({ url, file });
  for (const old of former.slice(Math.max(keep - 1, 0))) await rm(old.file, { force: true });
  return verified;
}

async function requireRoom(folder: string, needed: number): Promise<void> {
  const disk = await statfs(folder);
  const free = disk.bavail * disk.bsize;
  if (free >= needed) return;
  const megabytes = (bytes: number) => Math.ceil(bytes / 1_000_000);
  throw new OperatorError(
    `The disk of ${folder} has ${megabytes(free)} MB left, and a nightly backup needs ${megabytes(needed)} MB: make room, or set BACKUP_DIR or BACKUP_KEEP.`,
  );
}

async function namesIn(folder: string): Promise<string[]> {
  return existsSync(folder) ? readdir(folder) : [];
}
