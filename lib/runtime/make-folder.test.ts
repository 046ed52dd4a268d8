import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { makeFolder } from "./make-folder.ts";

const place = mkdtempSync(path.join(tmpdir(), "sluice-folder-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

it("makes what is missing, with its mode, and leaves what is there", () => {
  const folder = path.join(place, "a", "b", "c");
  makeFolder(folder, 0o700);
  expect(statSync(path.dirname(folder)).mode & 0o777).toBe(0o700);
  writeFileSync(path.join(folder, "kept"), "");
  makeFolder(folder, 0o711);
  expect(existsSync(path.join(folder, "kept"))).toBe(true);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

it("refuses what is no folder, or lies in none", () => {
  const file = path.join(place, "file");
  writeFileSync(file, "");
  symlinkSync(path.join(place, "nowhere"), path.join(place, "dangling"));
  expect(() => makeFolder(file, 0o700)).toThrow("it is not a folder");
  expect(() => makeFolder(path.join(file, "below"), 0o700)).toThrow(/ENOTDIR/);
  expect(() => makeFolder(path.join(place, "dangling"), 0o700)).toThrow(/EEXIST/);
});

// Only Linux has one.
it.runIf(existsSync("/proc/self"))("comes to an end where nothing can be made", () => {
  expect(() => makeFolder("/proc/sluice/data", 0o700)).toThrow(/ENOENT|EACCES|EPERM/);
});
