import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startMark } from "#lib/runtime/processes.ts";
import { type DataLock, type Holder, lockDataDir } from "./data-lock.ts";
import * as kernelLock from "./kernel-lock.ts";

let folder: string;
let record: string;
const locks: DataLock[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "sluice-data-lock-"));
  record = path.join(folder, "running.json");
});

afterEach(() => {
  for (const lock of locks.splice(0)) lock.release();
  rmSync(folder, { recursive: true });
});

async function take(): Promise<DataLock> {
  const lock = await lockDataDir(folder, "service");
  locks.push(lock);
  return lock;
}

function recordHolder(pid: number, mark: string | null): void {
  const since = "2026-11-22T20:00:00.000Z";
  const holder: Holder = { pid, mark, host: "attic", purpose: "service", since };
  writeFileSync(record, JSON.stringify(holder));
}

test("a held folder is refused in one sentence that names the holder", async () => {
  await take();
  await expect(take()).rejects.toThrow(
    new RegExp(
      `^Sluice already runs on ${folder} \\(process ${process.pid} on .+, since 20.+\\): stop that one`,
    ),
  );
});

test("a released folder is free, and names no holder", async () => {
  (await take()).release();
  expect(existsSync(record)).toBe(false);
  await expect(take()).resolves.toHaveProperty("release");
});

test("a folder without file locks is refused", async () => {
  vi.spyOn(kernelLock, "takeKernelLock").mockReturnValue("unsupported");
  await expect(take()).rejects.toThrow(
    `DATA_DIR ${folder} has no file locks, which keep a second Sluice off the same data: set DATA_DIR to a folder on a local disk.`,
  );
});

test("a running holder is refused after its lock file was removed", async () => {
  const other = spawn("sleep", ["30"]);
  try {
    const pid = other.pid ?? 0;
    recordHolder(pid, startMark(pid));
    await expect(take()).rejects.toThrow(`process ${pid} on attic`);
  } finally {
    other.kill("SIGKILL");
  }
});

test("the record of an ended process, of a reused process id, or a damaged one holds nothing", async () => {
  const ended = spawnSync("true").pid;
  const damage = [
    () => recordHolder(ended, "some mark"),
    () => recordHolder(process.ppid, "another start"),
    () => writeFileSync(record, '{"pid": 1'),
  ];
  for (const write of damage) {
    write();
    const lock = await take();
    expect(JSON.parse(readFileSync(record, "utf8"))).toMatchObject({ pid: process.pid });
    lock.release();
  }
});
