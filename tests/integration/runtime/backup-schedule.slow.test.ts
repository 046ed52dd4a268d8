import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { verifyBackup } from "#lib/runtime/backup/verify-backup.ts";
import { scheduleBackups } from "#lib/runtime/supervisor/schedule-backups.ts";
import { makeFolder, PASSPHRASE, SECRETS } from "./backup-database.ts";

test(
  "a missed backup is made soon after the start, in a process of its own",
  { timeout: 120_000 },
  async () => {
    const folder = makeFolder();
    const settings = { BACKUP_DIR: folder, BACKUP_PASSPHRASE: PASSPHRASE, DATA_DIR: makeFolder() };
    const environment = { ...process.env, ...SECRETS, ...settings };
    const schedule = scheduleBackups(environment, "UTC");
    onTestFinished(schedule.stop);
    const archives = () => readdirSync(folder).filter((name) => name.endsWith(".zip"));
    await expect.poll(archives, { timeout: 100_000 }).toHaveLength(1);
    expect((await verifyBackup(path.join(folder, archives()[0] ?? ""), PASSPHRASE)).secrets).toEqual(SECRETS);
  },
);
