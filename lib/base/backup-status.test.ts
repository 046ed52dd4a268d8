import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isBackupFailing, readBackupStatus, removeBackupStatus, writeBackupStatus } from "./backup-status.ts";

const success = { at: "2026-11-20T03:00:05.000Z", bytes: 1_000 };
const before = { at: "2026-11-19T03:00:05.000Z", reason: "There is no room." };
const after = { ...before, at: "2026-11-21T03:00:05.000Z" };
const folder = "/backups";

test("a stored status is read until it is removed; damaged and missing files are none", () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "sluice-status-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  expect(readBackupStatus(dataDir)).toBeNull();
  writeBackupStatus(dataDir, { folder, success, failure: before });
  expect(readBackupStatus(dataDir)).toEqual({ folder, success, failure: before });
  removeBackupStatus(dataDir);
  expect(readBackupStatus(dataDir)).toBeNull();
  writeFileSync(path.join(dataDir, "backup-status.json"), "{");
  expect(readBackupStatus(dataDir)).toBeNull();
});

test("backups fail while the last failure is newer than the last success", () => {
  expect(isBackupFailing({ folder, success, failure: after })).toBe(true);
  expect(isBackupFailing({ folder, success: null, failure: before })).toBe(true);
  expect(isBackupFailing({ folder, success, failure: before })).toBe(false);
  expect(isBackupFailing({ folder, success, failure: null })).toBe(false);
});
