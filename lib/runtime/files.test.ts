import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keptSecret } from "./files.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "sluice-secret-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

test("keptSecret creates one secret of at least 32 characters, readable only by its owner", () => {
  const file = path.join(folder, "secret");
  const secret = keptSecret(file);
  expect(secret.length).toBeGreaterThanOrEqual(32);
  expect(keptSecret(file)).toBe(secret);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["secret"]);
});

test.each(["", "\n", "cut off in the mid"])("keptSecret refuses a file that contains %j", (left) => {
  const file = path.join(folder, "secret");
  writeFileSync(file, left);
  expect(() => keptSecret(file)).toThrow(/secret holds no secret of 32 characters or more: put back a copy/);
});
