import { existsSync } from "node:fs";
import path from "node:path";
import type { Env } from "#lib/env.ts";
import {
  refuseOtherSecrets,
  restoreSecrets,
  secretsToSeal,
} from "#lib/runtime/backup/installation-secrets.ts";
import { openFormerDatabase } from "#lib/runtime/backup/former-data.ts";
import type { FormerDatabase, KeptRefusals } from "#lib/runtime/backup/keep-refusals.ts";
import { restoreBackup } from "#lib/runtime/backup/restore-backup.ts";
import type { Secrets } from "#lib/runtime/backup/seal-secrets.ts";
import { migrationsOf, type Verified, verifyBackup } from "#lib/runtime/backup/verify-backup.ts";
import { writeBackup } from "#lib/runtime/backup/write-backup.ts";
import { openDataFolder } from "#lib/runtime/data-folder.ts";
import { lockDataDir } from "#lib/runtime/lock/data-lock.ts";
import { openCommandDatabase } from "#lib/runtime/postgres/access.ts";
import { endCommittedRestore } from "#lib/runtime/postgres/interrupted-restore.ts";
import { startEmbeddedPostgres } from "#lib/runtime/postgres/embedded.ts";
import {
  hasIncompleteRestore,
  markIncompleteRestore,
  unmarkIncompleteRestore,
} from "#lib/runtime/postgres/incomplete-restore.ts";
import { OperatorError, say, step } from "#lib/runtime/terminal.ts";
import { type CommandLine, fromCaller } from "./commands.ts";

/* Commands that need no Prisma client. */

/**
 * @returns for --json
 * @throws OperatorError
 */
export async function runFileCommand(line: CommandLine, settings: Env): Promise<object> {
  // Runs the exit handlers, which remove an unfinished archive.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  if (line.name === "backup") return backup(line.file, settings);
  if (line.name === "restore") return restore(line, settings);
  return verify(line.file, settings);
}

async function backup(file: string, settings: Env): Promise<object> {
  const dataDir = await openDataFolder(settings, say);
  requireDatabase(settings, dataDir);
  const { directUrl, stop } = await openCommandDatabase(settings, { mayLackSecrets: true });
  let sealed: ReturnType<typeof secretsToSeal>;
  let verified: Verified;
  try {
    sealed = secretsToSeal(settings, dataDir);
    verified = await step(`Writing ${file}`, () => writeBackup({ url: directUrl, file, sealed }));
    say(`${file} is complete and was read again: ${describe(verified)}.`);
  } finally {
    await stop();
  }
  if (sealed === null) {
    say(
      "The secrets are left out, because BACKUP_PASSPHRASE is not set. Keep AUTH_SECRET and ENCRYPTION_KEY (or the files auth-secret and encryption-key of DATA_DIR) in another place.",
    );
  }
  return shown(file, verified);
}

async function verify(file: string, settings: Env): Promise<object> {
  const verified = await step(`Reading ${file}`, () => verifyBackup(file, settings.BACKUP_PASSPHRASE));
  await migrationsOf(verified.manifest, file);
  say(`${file} is complete: ${describe(verified)}.`);
  if (verified.manifest.secrets === "left out") say("It has no secrets.");
  else if (verified.secrets !== null) say("BACKUP_PASSPHRASE opens its secrets.");
  else say("Its secrets are encrypted. Set BACKUP_PASSPHRASE to check that it opens them.");
  return { ...shown(file, verified), opened: verified.secrets !== null };
}

async function restore({ file, values, flags }: CommandLine, settings: Env): Promise<object> {
  const withoutSecrets = flags.has("without-secrets");
  const formerPlace = values["keep-refusals"];
  const dataDir = await openDataFolder(settings, say);
  const passphrase = withoutSecrets ? undefined : settings.BACKUP_PASSPHRASE;
  const verified = await step(`Reading ${file}`, () => verifyBackup(file, passphrase));
  await migrationsOf(verified.manifest, file);
  if (verified.manifest.secrets === "encrypted" && verified.secrets === null && !withoutSecrets) {
    throw new OperatorError(
      `The secrets in ${file} are encrypted: set BACKUP_PASSPHRASE, or add --without-secrets. Nothing was changed.`,
    );
  }
  if (verified.secrets !== null) refuseOtherSecrets(dataDir, verified.secrets);
  const backup = `the backup of ${verified.manifest.created_at}`;
  const former =
    formerPlace === undefined
      ? undefined
      : await openFormerDatabase(
          formerPlace.includes("://") ? formerPlace : fromCaller(formerPlace),
          settings,
          dataDir,
        );
  const target = { file, backup, settings, dataDir, former, secrets: verified.secrets };
  try {
    if (settings.DATABASE_URL === undefined) await restoreEmbedded(target);
    else await load(settings.DIRECT_URL ?? settings.DATABASE_URL, target);
  } finally {
    await former?.stop();
  }
  say(`Restored ${describe(verified)}.`);
  return shown(file, verified);
}

type Target = {
  file: string;
  backup: string;
  settings: Env;
  dataDir: string;
  former: FormerDatabase | undefined;
  secrets: Secrets | null;
};

async function restoreEmbedded(target: Target): Promise<void> {
  const { dataDir, backup } = target;
  const lock = await lockDataDir(dataDir, "command");
  try {
    // The same command repeated.
    if ((await endCommittedRestore(lock)) === backup) return;
    if (hasDatabase(dataDir) && !hasIncompleteRestore(dataDir)) {
      throw new OperatorError(
        `${dataDir} has a database already: move it away, or set DATA_DIR to another folder. Nothing was changed.`,
      );
    }
    markIncompleteRestore(dataDir, backup);
    const own = await startEmbeddedPostgres({ dataDir, lock, say, isRestore: true });
    try {
      await load(own.url, target);
    } finally {
      await own.stop();
    }
  } finally {
    lock.release();
  }
}

/** @throws OperatorError */
export function requireDatabase(settings: Env, dataDir: string): void {
  if (settings.DATABASE_URL === undefined && !hasDatabase(dataDir))
    throw new OperatorError(`There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL.`);
}

function hasDatabase(dataDir: string): boolean {
  return existsSync(path.join(dataDir, "postgres", "PG_VERSION"));
}

async function load(url: string, { file, settings, dataDir, former, secrets }: Target): Promise<void> {
  let remarks: string[] = [];
  const { unknown, kept } = await step("Restoring", () =>
    restoreBackup({
      url,
      file,
      former,
      onLoaded: () => (remarks = restoreSecrets(settings, dataDir, secrets)),
      onCommitted: () => unmarkIncompleteRestore(dataDir),
    }),
  );
  for (const remark of remarks) say(remark);
  if (former !== undefined && kept !== null) say(describeKept(former, kept));
  if (unknown.length > 0) say(`Left out, because they are not tables of Sluice: ${unknown.join(", ")}.`);
}

function describeKept({ place }: FormerDatabase, kept: KeptRefusals): string {
  const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? "" : "s"}`;
  const { deletions, refusals, optOuts, deletedPosts, emptiedPosts } = kept;
  return (
    `Kept from ${place}, newer than the backup: ${count(deletions, "deletion")}, ${count(refusals, "refusal")} and ` +
    `${count(optOuts, "opt-out")}. ${count(deletedPosts, "restored post")} deleted again, ${emptiedPosts} emptied.`
  );
}

function shown(file: string, { manifest, rows, bytes }: Verified): object {
  const { created_at, tables, secrets } = manifest;
  return { file, created_at, tables: tables.length, rows, bytes, secrets };
}

function describe({ manifest, rows, bytes }: Verified): string {
  const megabytes = (bytes / 1_000_000).toFixed(1);
  return `the database of ${manifest.created_at}, ${manifest.tables.length} tables with ${rows} rows, ${megabytes} MB`;
}
