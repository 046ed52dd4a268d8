import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { readSecretFiles, readSettingsFile } from "./settings-file.ts";
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

function environmentWith(variables: Record<string, string>): NodeJS.ProcessEnv {
  return { NODE_ENV: "test", ...variables };
}

test("readSecretFiles replaces NAME_FILE by the secret in that file", () => {
  const file = path.join(folder, "cron");
  writeFileSync(file, "a secret of a scheduler\n");
  const environment = environmentWith({ CRON_SECRET_FILE: file, AUTH_SECRET_FILE: "", PORT: "80" });
  readSecretFiles(environment);
  expect(environment).toEqual({
    NODE_ENV: "test",
    CRON_SECRET: "a secret of a scheduler",
    AUTH_SECRET_FILE: "",
    PORT: "80",
  });
});

test("readSecretFiles refuses two sources of a secret, a missing file and an empty one", () => {
  const empty = path.join(folder, "empty");
  writeFileSync(empty, "\n");
  const read = (variables: Record<string, string>) => () => readSecretFiles(environmentWith(variables));
  expect(read({ CRON_SECRET: "a", CRON_SECRET_FILE: empty })).toThrow(
    new OperatorError("CRON_SECRET and CRON_SECRET_FILE are both set."),
  );
  expect(read({ DATABASE_URL_FILE: path.join(folder, "none") })).toThrow(
    /^DATABASE_URL_FILE cannot be read \(ENOENT/,
  );
  expect(read({ CRON_SECRET_FILE: empty })).toThrow(`CRON_SECRET_FILE names an empty file, ${empty}.`);
});
