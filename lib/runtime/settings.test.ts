import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { parseEnv } from "#lib/base/env.ts";
import { backupDirOf, childEnvironment } from "./settings.ts";

const folder = mkdtempSync(path.join(tmpdir(), "sluice-settings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ["the embedded database", {}, "/data/backups"],
  ["a database of one's own", { DATABASE_URL: "postgresql://db.example/sluice" }, null],
  [
    "a database of one's own with a folder",
    { DATABASE_URL: "postgresql://db.example/sluice", BACKUP_DIR: "/copies" },
    "/copies",
  ],
  ["the embedded database with a folder", { BACKUP_DIR: "/copies" }, "/copies"],
  ["no backups to keep", { BACKUP_KEEP: "0", BACKUP_DIR: "/copies" }, null],
])("nightly backups with %s", (_name, variables, folder) => {
  expect(backupDirOf(parseEnv(variables), "/data")).toBe(folder);
});

test("child processes get their secrets, but none that only a start or a backup needs", () => {
  const database = "postgresql://owner:hunter2@db.example/sluice";
  const withheld = {
    DIRECT_URL: database,
    ADMIN_EMAIL: "boss@example.org",
    ADMIN_PASSWORD: "hunter2 hunter2",
  };
  const given = { ...withheld, DATABASE_URL: database, AUTH_SECRET: "a".repeat(32) };
  for (const [name, value] of Object.entries(given)) vi.stubEnv(name, value);
  const where = {
    dataDir: folder,
    url: "postgresql://app@db.example/sluice",
    port: 1,
    publicUrl: "http://a",
  };
  const environment = childEnvironment(parseEnv(given), where);
  expect(environment).toMatchObject({ DATABASE_URL: where.url, AUTH_SECRET: given.AUTH_SECRET });
  expect(JSON.stringify(environment)).not.toMatch(/hunter2|boss/);
  expect(Object.keys(withheld).filter((name) => environment[name] !== undefined)).toEqual([]);
});
