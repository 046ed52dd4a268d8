import { z } from "zod";
import { setting } from "./setting.ts";

/* Results of nightly backups, which the worker writes. */

const MAX_AGE_MS = 2 * 86_400_000;
/** The worker writes the status every hour, so an older one means that backups were turned off. */
const MAX_SILENCE_MS = 3 * 3_600_000;

export const backupStatus = setting(
  "backup",
  z.object({
    looked_at: z.string().default(""),
    folder: z.string().default(""),
    /** The newest archive. */
    success: z.object({ at: z.string(), bytes: z.number() }).nullable().default(null),
    failure: z.object({ at: z.string(), reason: z.string() }).nullable().default(null),
  }),
);
export type BackupStatus = Awaited<ReturnType<typeof backupStatus.read>>;

/** Status of the nightly backups; null when there are none. */
export async function readBackupStatus(): Promise<BackupStatus | null> {
  const status = await backupStatus.read();
  return Date.parse(status.looked_at) > Date.now() - MAX_SILENCE_MS ? status : null;
}

/** Whether the last attempt failed. */
export function isBackupFailing({ success, failure }: Pick<BackupStatus, "success" | "failure">): boolean {
  return failure !== null && (success === null || success.at < failure.at);
}

/** @param at ISO 8601 */
export function isBackupOld(at: string, now: number): boolean {
  return now - Date.parse(at) > MAX_AGE_MS;
}
