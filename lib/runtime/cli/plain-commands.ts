import { existsSync } from "node:fs";
import path from "node:path";
import type { Env } from "#lib/base/env.ts";
import { type Verified, verifyBackup, writeBackup } from "#lib/runtime/backup/backup.ts";
import { restoreBackup } from "#lib/runtime/backup/restore-backup.ts";
import { lockDataDir } from "#lib/runtime/data-lock.ts";
import { openCommandDatabase } from "#lib/runtime/postgres/access.ts";
import { startEmbeddedPostgres } from "#lib/runtime/postgres/embedded.ts";
import { migrate } from "#lib/runtime/postgres/migrate.ts";
import { openDataDir } from "#lib/runtime/settings.ts";
import { OperatorError, say, step } from "#lib/runtime/terminal.ts";

/** Commands that need no Prisma client. They return lines for the operator. */
export const plainCommands: Record<string, (file: string, settings: Env) => Promise<string[]>> = {
  async backup(file, settings) {
    const dataDir = openDataDir(settings);
    if (settings.DATABASE_URL === undefined && !existsSync(path.join(dataDir, "postgres", "PG_VERSION")))
      throw new OperatorError(`There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL.`);
    const { directUrl, stop } = await openCommandDatabase(settings);
    const verified = await step(`Writing ${file}`, async () => {
      try {
        return await writeBackup({ url: directUrl, file });
      } finally {
        await stop();
      }
    });
    return [
      describe(`${file} is complete and was read again`, verified),
      "It has no keys: without auth-secret and encryption-key of DATA_DIR everybody signs in again, and tokens of other servers are entered again.",
    ];
  },

  async verify(file) {
    return [describe(`${file} is complete`, await step(`Reading ${file}`, () => verifyBackup(file)))];
  },

  async restore(file, settings) {
    const dataDir = openDataDir(settings);
    const verified = await step(`Reading ${file}`, () => verifyBackup(file));
    const load = (url: string) => step("Restoring", () => restoreBackup({ url, file }));
    if (settings.DIRECT_URL !== undefined) await load(settings.DIRECT_URL);
    else {
      const lock = await lockDataDir(dataDir, "command");
      const { url, stop } = await startEmbeddedPostgres({ dataDir, lock, say });
      try {
        await load(url);
      } finally {
        await stop();
      }
      lock.release();
    }
    return [describe("Restored", verified)];
  },

  async migrate(_file, settings) {
    const { directUrl, isRunning, stop } = await openCommandDatabase(settings);
    try {
      if (isRunning) throw new OperatorError("The service runs: stop it first.");
      const applied = await migrate(directUrl);
      return [`The database is up to date; migrations applied: ${applied.length}.`];
    } finally {
      await stop();
    }
  },
};

function describe(what: string, { manifest, rows, bytes }: Verified): string {
  const { created_at, tables } = manifest;
  return `${what}: the database of ${created_at}, ${tables.length} tables with ${rows} rows, ${(bytes / 1_000_000).toFixed(1)} MB.`;
}
