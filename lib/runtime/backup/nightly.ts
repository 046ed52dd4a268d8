import { chmod, readdir, rm, stat, statfs } from "node:fs/promises";
import path from "node:path";
import { dayIn } from "#lib/base/clock.ts";
import { log } from "#lib/base/log.ts";
import { makeFolder } from "#lib/runtime/files.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { PARTIAL } from "./archive-writer.ts";
import { liftTimeouts } from "./catalog.ts";
import { connect } from "./connect.ts";
import type { Verified } from "./verify-backup.ts";
import { type BackupOptions, writeBackup } from "./write-backup.ts";

/* One archive a night, named by its time; the newest ones are kept. Files with other names are left alone. */

const NAME = /^sluice-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.zip/;
/** Time after midnight at which a night's backup is due. */
const DUE_AFTER_MIDNIGHT_MS = 3 * 3_600_000;
/** Time by which clocks of machines may differ. */
const MAX_CLOCK_DIFFERENCE_MS = 3_600_000;
/** A running backup writes more often. */
const ABANDONED_AFTER_MS = 3_600_000;
export const BACKUP_LOCK = 72707370;
/** Room that a backup leaves free, because a full disk stops the database. */
const RESERVE_BYTES = 512 * 1024 * 1024;

export function nameAt(time: Date): string {
  return `sluice-${time.toISOString().replace(/[-:]|\.\d+/g, "")}.zip`;
}

type Archive = { file: string; at: Date; size: number };

/** Newest first. Archives of the future were made with a wrong clock; they count for nothing and are not deleted. */
export async function listNightly(
  folder: string,
  now: Date,
): Promise<{ archives: Archive[]; future: Archive[] }> {
  const found: Archive[] = [];
  for (const name of await namesIn(folder)) {
    const [whole, ...parts] = NAME.exec(name) ?? [];
    if (whole !== name) continue;
    const [year, month, day, hours, minutes, seconds] = parts;
    const file = path.join(folder, name);
    const at = new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
    found.push({ file, at, size: (await stat(file)).size });
  }
  found.sort((a, b) => b.at.getTime() - a.at.getTime());
  const isFuture = ({ at }: Archive) => at.getTime() > now.getTime() + MAX_CLOCK_DIFFERENCE_MS;
  return { archives: found.filter((archive) => !isFuture(archive)), future: found.filter(isFuture) };
}

/** Due at 03:00; a missed night is caught up. */
export async function isNightlyDue(folder: string, timeZone: string, now: Date): Promise<boolean> {
  const [newest] = (await listNightly(folder, now)).archives;
  const nightOf = (time: Date) => dayIn(timeZone, new Date(time.getTime() - DUE_AFTER_MIDNIGHT_MS));
  return newest === undefined || nightOf(newest.at) < nightOf(now);
}

/**
 * Writes an archive, then deletes older ones.
 * @param keep number of archives to keep, the new one included
 * @throws OperatorError also when the disk has too little room; nothing is deleted then
 */
export async function makeNightlyBackup(
  options: Omit<BackupOptions, "file"> & { folder: string; keep: number; now: Date },
): Promise<Verified & { file: string }> {
  const { folder, keep, now } = options;
  makeFolder(folder, 0o700);
  await chmod(folder, 0o700);
  for (const name of await namesIn(folder))
    if (NAME.test(name) && name.endsWith(PARTIAL)) await removeIfAbandoned(path.join(folder, name));
  const { archives: former, future } = await listNightly(folder, now);
  if (future.length > 0)
    log.warn({ files: future.map(({ file }) => file) }, "backups dated in the future are not counted");
  await requireRoom(folder, await estimate(options.url, former[0]));
  const file = path.join(folder, nameAt(now));
  const verified = await writeBackup({ url: options.url, file });
  for (const old of former.slice(Math.max(keep - 1, 0))) await rm(old.file, { force: true });
  return { ...verified, file };
}

/**
 * Runs `work` in one of several instances on the same database. The lock ends with its process.
 * @returns null when another instance has it
 */
export async function whileClaimed<T>(url: string, work: () => Promise<T>): Promise<T | null> {
  const client = await connect(url, "sluice-backup");
  try {
    await client.query("BEGIN");
    await liftTimeouts(client);
    const { rows } = await client.query<{ is_free: boolean }>(
      "SELECT pg_try_advisory_xact_lock($1) AS is_free",
      [BACKUP_LOCK],
    );
    return rows[0]?.is_free ? await work() : null;
  } finally {
    await client.end();
  }
}

async function removeIfAbandoned(partial: string): Promise<void> {
  const { mtimeMs } = await stat(partial);
  if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await rm(partial, { force: true });
}

/** In bytes. The first archive is assumed to be a quarter of the database; measured ones were smaller. */
async function estimate(url: string, former: Archive | undefined): Promise<number> {
  if (former !== undefined) return 1.5 * former.size;
  const client = await connect(url, "sluice-backup");
  try {
    const { rows } = await client.query<{ size: string }>(
      "SELECT pg_database_size(current_database())::text AS size",
    );
    return Number(rows[0]?.size ?? 0) / 4;
  } finally {
    await client.end();
  }
}

async function requireRoom(folder: string, size: number): Promise<void> {
  const disk = await statfs(folder);
  const free = disk.bavail * disk.bsize;
  if (free >= size + RESERVE_BYTES) return;
  const megabytes = (bytes: number) => Math.ceil(bytes / 1_000_000);
  throw new OperatorError(
    `The disk of ${folder} has ${megabytes(free)} MB left, and a nightly backup needs ${megabytes(size + RESERVE_BYTES)} MB: make room, or set BACKUP_DIR or BACKUP_KEEP.`,
  );
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
