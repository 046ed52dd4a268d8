import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, rm, stat, statfs } from "node:fs/promises";
import path from "node:path";
import { backupStatus } from "#lib/base/backup-status.ts";
import { dayIn } from "#lib/base/clock.ts";
import { env } from "#lib/base/env.ts";
import { log } from "#lib/base/log.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { PARTIAL } from "./archive.ts";
import { type Verified, writeBackup } from "./backup.ts";

/* One archive a night, named by its time; the newest ones are kept. Files with other names are left alone. */

const NAME = /^sluice-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.zip$/;
/** Time after midnight at which a night's backup is due. */
const DUE_AFTER_MIDNIGHT_MS = 3 * 3_600_000;
/** A running backup writes more often; clocks of machines differ by less. */
const HOUR_MS = 3_600_000;
/** Room that a backup leaves free, because a full disk stops the database. */
const RESERVE_BYTES = 512 * 1024 * 1024;

export function nameAt(time: Date): string {
  return `sluice-${time.toISOString().replace(/[-:]|\.\d+/g, "")}.zip`;
}

type Archive = { file: string; at: Date; size: number };

/** Newest first. Archives of the future were made with a wrong clock: they count for nothing and are not deleted. */
export async function listNightly(folder: string, now: Date): Promise<Archive[]> {
  const found: Archive[] = [];
  for (const name of await namesIn(folder)) {
    const [year, month, day, hours, minutes, seconds] = NAME.exec(name)?.slice(1) ?? [];
    if (year === undefined) continue;
    const file = path.join(folder, name);
    const at = new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
    if (at.getTime() <= now.getTime() + HOUR_MS) found.push({ file, at, size: (await stat(file)).size });
  }
  return found.sort((a, b) => b.at.getTime() - a.at.getTime());
}

/** Due from 03:00 on; a missed night is caught up. */
export async function isNightlyDue(folder: string, timeZone: string, now: Date): Promise<boolean> {
  const [newest] = await listNightly(folder, now);
  const nightOf = (time: Date) => dayIn(timeZone, new Date(time.getTime() - DUE_AFTER_MIDNIGHT_MS));
  return newest === undefined || nightOf(newest.at) < nightOf(now);
}

/** Makes the one that is due, and stores the result for screens and metrics. An OperatorError is one line in the log. */
export async function backUpWhenDue(): Promise<void> {
  const { BACKUP_DIR: folder, BACKUP_KEEP: keep, TIME_ZONE, DATABASE_URL = "", DIRECT_URL } = env();
  if (folder === undefined) return;
  let { failure } = await backupStatus.read();
  const now = new Date();
  try {
    if (await isNightlyDue(folder, TIME_ZONE, now)) {
      const { file, rows, bytes } = await makeNightlyBackup({
        url: DIRECT_URL ?? DATABASE_URL,
        folder,
        keep,
        now,
      });
      log.info({ file, rows, bytes }, "nightly backup written");
    }
  } catch (error) {
    const reason = (error as Error).message;
    log.error(error instanceof OperatorError ? { problem: reason } : { err: error }, "nightly backup failed");
    failure = { at: new Date().toISOString(), reason };
  }
  // Another instance may have made it.
  const [newest] = await listNightly(folder, new Date());
  const success = newest === undefined ? null : { at: newest.at.toISOString(), bytes: newest.size };
  await backupStatus.set({ looked_at: new Date().toISOString(), folder, success, failure });
}

/**
 * Writes an archive, then deletes older ones.
 * @param options.keep number of archives to keep, the new one included
 * @throws OperatorError also when the disk has too little room; nothing is deleted then
 */
export async function makeNightlyBackup(options: {
  url: string;
  folder: string;
  keep: number;
  now: Date;
}): Promise<Verified & { file: string }> {
  const { url, folder, keep, now } = options;
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o700);
  for (const name of await namesIn(folder)) {
    const partial = path.join(folder, name);
    const isOurs = name.startsWith("sluice-") && name.endsWith(PARTIAL);
    if (isOurs && Date.now() - (await stat(partial)).mtimeMs > HOUR_MS) await rm(partial, { force: true });
  }
  const former = await listNightly(folder, now);
  await requireRoom(folder, 1.5 * (former[0]?.size ?? 0) + RESERVE_BYTES);
  const file = path.join(folder, nameAt(now));
  const verified = await writeBackup({ url, file });
  for (const old of former.slice(Math.max(keep - 1, 0))) await rm(old.file, { force: true });
  return { ...verified, file };
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
