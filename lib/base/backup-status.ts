import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { env } from "./env.ts";

/* Results of nightly backups: a file that the supervisor writes and the web server reads. It exists while they are on. */

const NAME = "backup-status.json";
const MAX_AGE_MS = 2 * 86_400_000;

const Status = z.object({
  folder: z.string(),
  /** The newest archive. */
  success: z.object({ at: z.string(), bytes: z.number() }).nullable(),
  failure: z.object({ at: z.string(), reason: z.string() }).nullable(),
});
export type BackupStatus = z.infer<typeof Status>;

/** Null without nightly backups. */
export function readBackupStatus(dataDir = env().DATA_DIR): BackupStatus | null {
  try {
    const text = readFileSync(path.resolve(/*turbopackIgnore: true*/ dataDir, NAME), "utf8");
    return Status.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Whether the last attempt failed. */
export function isBackupFailing({ success, failure }: BackupStatus): boolean {
  return failure !== null && (success === null || success.at < failure.at);
}

/** @param at ISO 8601 */
export function isBackupOld(at: string, now: number): boolean {
  return now - Date.parse(at) > MAX_AGE_MS;
}

/** @throws Error of the file system */
export function writeBackupStatus(dataDir: string, status: BackupStatus): void {
  const file = path.join(dataDir, NAME);
  writeFileSync(`${file}.new`, `${JSON.stringify(status, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function removeBackupStatus(dataDir: string): void {
  rmSync(path.join(dataDir, NAME), { force: true });
}
