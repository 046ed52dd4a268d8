import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type DataLock, lockDataDir } from "./data-lock.ts";
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

test("a held folder is refused in one sentence that names the holder", async () => {
  await take();
  await expect(take()).rejects.toThrow(
    new RegExp(
      `^Sluice already runs on ${folder} \\(process ${process.pid} on .+, since 20.+\\): stop that one`,
    ),
  );
});

test("a folder without file locks is refused", async () => {
  vi.spyOn(kernelLock, "takeKernelLock").mockReturnValue("unsupported");
  await expect(take()).rejects.toThrow(
    `DATA_DIR ${folder} has no file locks, which keep a second Sluice off the same data: set DATA_DIR to a folder on a local disk.`,
  );
});

test.each(['{"pid": 1, "purpose": "service"}', '{"pid": 1'])(
  "a record without its lock holds nothing: %s",
  async (text) => {
    writeFileSync(record, text);
    await take();
    expect(JSON.parse(readFileSync(record, "utf8"))).toMatchObject({ pid: process.pid });
  },
);
