import { constants, setPriority } from "node:os";
import { env } from "#lib/base/env.ts";
import { log } from "#lib/base/log.ts";
import { makeNightlyBackup } from "#lib/runtime/backup/nightly.ts";
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

const { DATABASE_URL: url = "", BACKUP_DIR: folder = "", BACKUP_KEEP: keep } = env();
try {
  const { file, rows, bytes } = await makeNightlyBackup({ url, folder, keep, now: new Date() });
  log.info({ file, rows, bytes }, "nightly backup written");
  process.exit(0);
} catch (error) {
  if (error instanceof OperatorError) log.error({ problem: error.message }, "nightly backup failed");
  else log.error({ err: error }, "nightly backup failed");
  const message: BackupProblem = { problem: (error as Error).message };
  if (process.send === undefined) process.exit(1);
  process.send(message, () => process.exit(1));
}
