import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { parseEnv } from "#lib/base/env.ts";
import { makeFolder } from "#tests/setup/folder.ts";
import { backupDirOf, childEnvironment, readSettingsFile } from "./settings.ts";

const folder = makeFolder(afterAll);

test.each([
  ["the embedded database", {}, "/data/backups"],
  ["a database of one's own", { DATABASE_URL: "postgresql://db.example/sluice" }, undefined],
  [
    "a database of one's own with a folder",
    { DATABASE_URL: "postgresql://db.example/sluice", BACKUP_DIR: "/copies" },
    "/copies",
  ],
  ["the embedded database with a folder", { BACKUP_DIR: "/copies" }, "/copies"],
  ["no backups to keep", { BACKUP_KEEP: "0", BACKUP_DIR: "/copies" }, undefined],
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
  const url = "postgresql://app@db.example/sluice";
  const where = { dataDir: folder, url, port: 1, publicUrl: "http://a" };
  const environment = childEnvironment(parseEnv(given), where);
  expect(environment).toMatchObject({ DATABASE_URL: url, AUTH_SECRET: given.AUTH_SECRET });
  expect(JSON.stringify(environment)).not.toMatch(/hunter2|boss/);
  expect(Object.keys(withheld).filter((name) => environment[name] !== undefined)).toEqual([]);
});

test.each([
  ["plain lines", "PORT=8080\nTIME_ZONE=Europe/Berlin\n"],
  ["a byte-order mark and Windows' line ends", "\ufeffPORT=8080\r\nTIME_ZONE=Europe/Berlin\r\n"],
  ["quotes, comments and export", "# here\nexport PORT=\"8080\" # why\n\nTIME_ZONE='Europe/Berlin'"],
])("readSettingsFile reads %s and keeps variables that are set", (_name, text) => {
  const file = path.join(folder, ".env");
  writeFileSync(file, text);
  const environment: NodeJS.ProcessEnv = { NODE_ENV: "test", TIME_ZONE: "UTC" };
  expect(readSettingsFile(file, environment)).toEqual([]);
  expect(environment).toEqual({ NODE_ENV: "test", TIME_ZONE: "UTC", PORT: "8080" });
});

test.each(["PUBLIC_ULR=https://a.example", "retention_days=3"])("readSettingsFile warns about %s", (line) => {
  const file = path.join(folder, "typing-error.env");
  writeFileSync(file, `PORT=1\n${line}\n`);
  expect(readSettingsFile(file, {} as NodeJS.ProcessEnv)).toEqual([
    `There is no setting ${line.split("=")[0]}, which is in ${file}.`,
  ]);
});
