import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { holderOfOldLock, startMark } from "./processes.ts";

let folder: string;
let lock: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "sluice-lock-"));
  lock = path.join(folder, "running.lock");
});

afterEach(() => rmSync(folder, { recursive: true }));

function heldBy(pid: number, mark: string | null): void {
  writeFileSync(lock, JSON.stringify({ pid, mark }));
}

test("the lock file of an earlier version names its running process", () => {
  const other = spawn("sleep", ["30"]);
  try {
    heldBy(other.pid ?? 0, startMark(other.pid ?? 0));
    expect(holderOfOldLock(lock)).toBe(other.pid);
  } finally {
    other.kill();
  }
});

test("the lock file of an ended process, of a process id that was given away, or a damaged one names none", () => {
  heldBy(spawnSync("true").pid, "some mark");
  expect(holderOfOldLock(lock)).toBeNull();
  heldBy(process.ppid, "another start");
  expect(holderOfOldLock(lock)).toBeNull();
  writeFileSync(lock, '{"pid": 1');
  expect(holderOfOldLock(lock)).toBeNull();
});
