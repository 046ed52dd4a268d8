import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { verifyBackup } from "#lib/runtime/backup/backup.ts";
import { runningDatabaseUrl } from "#lib/runtime/postgres/access.ts";
import { fillPosts } from "#tests/integration/database/large-table.ts";
import { query } from "#tests/setup/database.ts";
import { makeFolder } from "#tests/setup/folder.ts";
import { SECRETS } from "./backup-database.ts";
import { sluice, start } from "./command-process.ts";

const source = () => ({
  DATABASE_URL: process.env.DATABASE_URL ?? "",
  ...SECRETS,
});

beforeAll(() => fillPosts(20_000), 300_000);

/** Rows by table, without those that a restore changes: the mail. */
async function tablesOf(file: string): Promise<Record<string, number>> {
  const { manifest } = await verifyBackup(file);
  const others = manifest.tables.filter(({ name }) => name !== "mail");
  return Object.fromEntries(others.map(({ name, rows }) => [name, rows]));
}

/** Waits until a statement of the restore runs in the database of this folder. */
async function waitForRestore(dataDir: string): Promise<void> {
  const isLoading = async () => {
    const url = await runningDatabaseUrl(dataDir);
    if (url === null) return false;
    const loading = await query(
      url,
      "SELECT FROM pg_stat_activity WHERE application_name = 'sluice-restore' AND query LIKE 'COPY \"post\"%'",
    );
    return loading.length === 1;
  };
  await expect.poll(isLoading, { timeout: 60_000, interval: 5 }).toBe(true);
}

test(
  "a killed restore leaves an empty database, and the restore can be repeated",
  { timeout: 300_000 },
  async () => {
    const folder = makeFolder();
    const file = path.join(folder, "backup.zip");
    expect(await sluice(["backup", file], source())).toMatchObject({ code: 0 });
    const dataDir = makeFolder();
    const settings = { DATA_DIR: dataDir };

    const restore = start("lib/runtime/cli/cli.ts", ["restore", file], settings);
    await waitForRestore(dataDir);
    restore.child.kill("SIGKILL");
    await restore.ended;
    const backup = await sluice(["backup", path.join(folder, "empty.zip")], settings);
    expect([backup.code, backup.output]).toEqual([1, expect.stringContaining("there is nothing to back up")]);
    expect(readdirSync(folder)).toEqual(["backup.zip"]);

    expect(await sluice(["restore", file], settings)).toMatchObject({ code: 0 });
    const again = path.join(folder, "again.zip");
    expect(await sluice(["backup", again], settings)).toMatchObject({ code: 0 });
    expect(await tablesOf(again)).toEqual(await tablesOf(file));

    const refused = await sluice(["restore", file], settings);
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining("is not empty")]);
  },
);

test(
  "a killed backup leaves no file under its name, and the next one is complete",
  { timeout: 120_000 },
  async () => {
    const folder = makeFolder();
    const file = path.join(folder, "backup.zip");
    const backup = start("lib/runtime/cli/cli.ts", ["backup", file], source());
    const written = () =>
      readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
    await expect.poll(written, { timeout: 60_000, interval: 2 }).toBeGreaterThan(100_000);
    backup.child.kill("SIGKILL");
    await backup.ended;
    expect(existsSync(file)).toBe(false);
    expect(await sluice(["backup", file], source())).toMatchObject({ code: 0 });
    await expect(verifyBackup(file)).resolves.toMatchObject({ rows: expect.any(Number) as number });
  },
);
