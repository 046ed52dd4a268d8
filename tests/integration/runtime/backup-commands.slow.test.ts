import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { verifyBackup } from "#lib/runtime/backup/verify-backup.ts";
import { hasIncompleteRestore, markIncompleteRestore } from "#lib/runtime/postgres/incomplete-restore.ts";
import { runningDatabaseUrl } from "#lib/runtime/postgres/running.ts";
import { fillPosts } from "#tests/integration/database/large-table.ts";
import { makeFolder, SECRETS } from "./backup-database.ts";
import { makeDataDir, sluice, start } from "./command-process.ts";

const source = () => ({
  DATABASE_URL: process.env.DATABASE_URL ?? "",
  ...SECRETS,
});

beforeAll(() => fillPosts(20_000), 300_000);

/** Checksums of the tables, without those that a restore changes: functions that were applied, confirmations. */
async function tablesOf(file: string): Promise<Record<string, string>> {
  const { manifest } = await verifyBackup(file);
  const others = manifest.tables.filter(
    ({ name }) => !["installation", "setting", "queue_entry"].includes(name),
  );
  return Object.fromEntries(others.map(({ name, sha256 }) => [name, sha256]));
}

/** Waits until a statement of the restore runs in the database of this folder. */
async function waitForRestore(dataDir: string): Promise<void> {
  const isLoading = async () => {
    const url = await runningDatabaseUrl(dataDir);
    if (url === null) return false;
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => undefined);
    await client.connect();
    const { rowCount } = await client.query(
      "SELECT FROM pg_stat_activity WHERE application_name = 'sluice-restore' AND query LIKE 'COPY \"post\"%'",
    );
    await client.end();
    return rowCount === 1;
  };
  await expect.poll(isLoading, { timeout: 60_000, interval: 5 }).toBe(true);
}

test(
  "a killed restore leaves a folder that starts nothing, and the restore can be repeated",
  { timeout: 300_000 },
  async () => {
    const folder = makeFolder();
    const file = path.join(folder, "backup.zip");
    expect(await sluice(["backup", file], source())).toMatchObject({ code: 0 });
    const dataDir = makeDataDir();
    const settings = { DATA_DIR: dataDir };

    const restore = start("lib/runtime/cli/cli.ts", ["restore", file], settings);
    await waitForRestore(dataDir);
    restore.child.kill("SIGKILL");
    await restore.ended;
    const sentence = /A restore into .* was interrupted, so its database is incomplete/;
    const command = await sluice(["create-account", "--email", "a@example.org"], settings);
    expect([command.code, command.output]).toEqual([1, expect.stringMatching(sentence)]);
    const service = await start("lib/runtime/supervisor/start.ts", [], { ...settings, PORT: "0" }).ended;
    expect([service.code, service.output]).toEqual([1, expect.stringMatching(sentence)]);
    const backup = await sluice(["backup", path.join(folder, "empty.zip")], settings);
    expect([backup.code, backup.output]).toEqual([1, expect.stringMatching(sentence)]);
    expect(readdirSync(folder)).toEqual(["backup.zip"]);

    expect(await sluice(["restore", file], settings)).toMatchObject({ code: 0 });
    const again = path.join(folder, "again.zip");
    expect(await sluice(["backup", again], settings)).toMatchObject({ code: 0 });
    expect(await tablesOf(again)).toEqual(await tablesOf(file));

    const refused = await sluice(["restore", file], settings);
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining("has a database already")]);
  },
);

test(
  "a restore that was killed after its commit is complete at the next command",
  { timeout: 300_000 },
  async () => {
    const folder = makeFolder();
    const [file, other] = [path.join(folder, "backup.zip"), path.join(folder, "other.zip")];
    for (const each of [file, other])
      expect(await sluice(["backup", each], source())).toMatchObject({ code: 0 });
    const dataDir = makeDataDir();
    const settings = { DATA_DIR: dataDir };
    expect(await sluice(["restore", file], settings)).toMatchObject({ code: 0 });
    const { manifest } = await verifyBackup(file);
    /** The state after a kill between commit and removal of the mark. */
    const mark = () => markIncompleteRestore(dataDir, `the backup of ${manifest.created_at}`);
    const sentence = expect.stringContaining("all rows had been stored: it is complete") as string;

    mark();
    const again = await sluice(["restore", file], settings);
    expect([again.code, again.output]).toEqual([0, sentence]);
    mark();
    const different = await sluice(["restore", other], settings);
    expect([different.code, different.output]).toEqual([1, sentence]);
    expect(different.output).toContain("has a database already");
    mark();
    const command = await sluice(["create-account", "--email", "a@example.org"], settings);
    expect([command.code, command.output]).toEqual([0, sentence]);
    mark();
    const service = start("lib/runtime/supervisor/start.ts", [], { ...settings, PORT: "0" });
    await expect.poll(() => hasIncompleteRestore(dataDir), { timeout: 60_000 }).toBe(false);
    service.child.kill("SIGTERM");
    expect((await service.ended).output).toEqual(sentence);
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
