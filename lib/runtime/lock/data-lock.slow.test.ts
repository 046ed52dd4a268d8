import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type DataLock, lockDataDir } from "./data-lock.ts";
import type { Holder } from "./holder-record.ts";
import * as kernelLock from "./kernel-lock.ts";
import { startMark } from "#lib/runtime/processes.ts";

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

/** As left by a holder on another machine, without kernel locks. */
function elsewhere(values: Partial<Holder> = {}): void {
  const holder: Holder = {
    token: "of another",
    pid: 7,
    host: "attic",
    purpose: "service",
    since: "2026-11-22T20:00:00.000Z",
    kernel: "another",
    lock: null,
    ...values,
  };
  writeFileSync(record, JSON.stringify(holder));
}

function beating(): () => void {
  const timer = setInterval(() => utimesSync(record, new Date(), new Date()), 100);
  return () => clearInterval(timer);
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

test("without kernel locks a beating holder is refused", async () => {
  vi.spyOn(kernelLock, "takeKernelLock").mockReturnValue("unsupported");
  elsewhere();
  const stop = beating();
  await expect(take()).rejects.toThrow("process 7 on attic");
  stop();
});

test("without kernel locks a silent holder is replaced after ten seconds, and notices it", async () => {
  vi.spyOn(kernelLock, "takeKernelLock").mockReturnValue("unsupported");
  const first = await take();
  elsewhere({ token: "of the next" });
  await expect(first.lost).resolves.toBeUndefined();
  const begun = Date.now();
  await take();
  expect(Date.now() - begun).toBeLessThan(13_000);
}, 20_000);

test("a free kernel lock on a replaced file does not hide a beating holder", async () => {
  elsewhere({ lock: 1 });
  const stop = beating();
  await expect(take()).rejects.toThrow("process 7 on attic");
  stop();
});

test.skipIf(process.platform !== "linux")(
  "after a power failure the folder is free at once on a local disk",
  async () => {
    const first = await take();
    const { lock } = JSON.parse(readFileSync(record, "utf8")) as Holder;
    first.release();
    elsewhere({ lock });
    const begun = Date.now();
    await take();
    expect(Date.now() - begun).toBeLessThan(1_000);
  },
);

test("a heartbeat restores a record that somebody removed", async () => {
  await take();
  rmSync(record);
  await expect.poll(() => existsSync(record), { timeout: 5_000 }).toBe(true);
});

test("a running copy of an earlier version is refused", async () => {
  writeFileSync(
    path.join(folder, "running.lock"),
    JSON.stringify({ pid: process.ppid, mark: startMark(process.ppid) }),
  );
  await expect(take()).rejects.toThrow(
    `An earlier version of Sluice runs on ${folder} (process ${process.ppid})`,
  );
});
