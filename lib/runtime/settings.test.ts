import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { readSettingsFile } from "./settings.ts";
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
