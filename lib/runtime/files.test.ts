import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, expect, it, test } from "vitest";
import { keptSecret, makeFolder } from "./files.ts";

const place = mkdtempSync(path.join(tmpdir(), "sluice-folder-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

it("makeFolder creates missing folders with the given mode and keeps existing ones", () => {
  const folder = path.join(place, "a", "b", "c");
  makeFolder(folder, 0o700);
  expect(statSync(path.dirname(folder)).mode & 0o777).toBe(0o700);
  writeFileSync(path.join(folder, "kept"), "");
  makeFolder(folder, 0o711);
  expect(existsSync(path.join(folder, "kept"))).toBe(true);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

it("makeFolder throws when the path, or a part of it, is not a folder", () => {
  const file = path.join(place, "file");
  writeFileSync(file, "");
  symlinkSync(path.join(place, "nowhere"), path.join(place, "dangling"));
  expect(() => makeFolder(file, 0o700)).toThrow("it is not a folder");
  expect(() => makeFolder(path.join(file, "below"), 0o700)).toThrow(/ENOTDIR/);
  expect(() => makeFolder(path.join(place, "dangling"), 0o700)).toThrow(/EEXIST/);
});

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
