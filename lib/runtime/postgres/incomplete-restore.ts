import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { commandLine } from "#lib/runtime/release/release.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";

/* A file in DATA_DIR from the beginning of a restore to its commit. It names the backup. */

const markOf = (dataDir: string) => path.join(dataDir, "restore-incomplete");

export function hasIncompleteRestore(dataDir: string): boolean {
  return existsSync(markOf(dataDir));
}

export function markIncompleteRestore(dataDir: string, backup: string): void {
  writeFileSync(markOf(dataDir), `${backup}\n`, { flush: true });
}

export function backupOfRestore(dataDir: string): string {
  return readFileSync(markOf(dataDir), "utf8").trim();
}

export function unmarkIncompleteRestore(dataDir: string): void {
  rmSync(markOf(dataDir), { force: true });
}

/** @throws OperatorError while a restore is incomplete */
export function refuseIncompleteRestore(dataDir: string): void {
  if (!hasIncompleteRestore(dataDir)) return;
  throw new OperatorError(
    `A restore into ${dataDir} is running or was interrupted, so its database is incomplete. When none is running, run \`${commandLine("restore FILE")}\` again.`,
  );
}
