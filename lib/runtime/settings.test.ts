import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { parseEnv } from "#lib/env.ts";
import { backupDirOf, readSettingsFile } from "./settings.ts";
import { OperatorError } from "./terminal.ts";

const folder = mkdtempSync(path.join(tmpdir(), "sluice-settings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ["plain lines", "PORT=8080\nTIME_ZONE=Europe/Berlin\n"],
  ["a byte-order mark and Windows' line ends", "\ufeffPORT=8080\r\nTIME_ZONE=Europe/Berlin\r\n"],
  ["quotes, comments and export", "# here\nexport PORT=\"8080\" # why\n\nTIME_ZONE='Europe/Berlin'"],
])("readSettingsFile reads %s and keeps variables that are set", (_name, text) => {
  const file = path.join(folder, ".env");
  writeFileSync(file, text);
  const environment: NodeJS.ProcessEnv = { NODE_ENV: "test", TIME_ZONE: "UTC" };
  readSettingsFile(file, environment);
  expect(environment).toEqual({ NODE_ENV: "test", TIME_ZONE: "UTC", PORT: "8080" });
});

test("readSettingsFile names an unreadable file in its error", () => {
  expect(() => readSettingsFile(folder, {} as NodeJS.ProcessEnv)).toThrow(OperatorError);
  expect(() => readSettingsFile(folder, {} as NodeJS.ProcessEnv)).toThrow(
    `The settings in ${folder} cannot be read`,
  );
});

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
