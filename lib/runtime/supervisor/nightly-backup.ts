import { constants, setPriority } from "node:os";
import { env } from "#lib/base/env.ts";
import { log } from "#lib/base/log.ts";
import { isNightlyDue, makeNightlyBackup, whileClaimed } from "#lib/runtime/backup/nightly.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { onStop } from "./supervised-child.ts";

/* Makes one nightly backup, in a process of its own, so that its memory is free by day. */

/** Sent to the supervisor before the process ends. */
export type BackupProblem = { problem: string };

process.title = "sluice-backup";
try {
  // Requests come first.
  setPriority(constants.priority.PRIORITY_LOW);
} catch {
  // Not permitted everywhere.
}
onStop(() => process.exit(1));

const settings = env();
const { DATABASE_URL: url = "", BACKUP_DIR: folder = "" } = settings;
try {
  const made = await whileClaimed(url, async () => {
    const now = new Date();
    // Another instance may have made it since the supervisor looked.
    if (!(await isNightlyDue(folder, settings.TIME_ZONE, now))) return null;
    return makeNightlyBackup({ url, folder, keep: settings.BACKUP_KEEP, now });
  });
  if (made === null) log.info("nightly backup is made by another instance");
  else log.info({ file: made.file, rows: made.rows, bytes: made.bytes }, "nightly backup written");
  process.exit(0);
} catch (error) {
  if (error instanceof OperatorError) log.error({ problem: error.message }, "nightly backup failed");
  else log.error({ err: error }, "nightly backup failed");
  const message: BackupProblem = { problem: (error as Error).message };
  if (process.send === undefined) process.exit(1);
  process.send(message, () => process.exit(1));
}
