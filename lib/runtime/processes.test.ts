import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startMark, tryLock, unlock, withLock } from "./processes.ts";

let folder: string;
let lock: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "sluice-lock-"));
  lock = path.join(folder, "lock");
});

afterEach(() => rmSync(folder, { recursive: true }));

function heldBy(pid: number, mark: string | null): void {
  writeFileSync(lock, JSON.stringify({ pid, mark }));
}

test("tryLock creates the lock file, and unlock removes it", () => {
  expect(tryLock(lock)).toBeNull();
  expect(JSON.parse(readFileSync(lock, "utf8"))).toEqual({ pid: process.pid, mark: startMark(process.pid) });
  unlock(lock);
  expect(existsSync(lock)).toBe(false);
});

test("the lock of a running process is neither taken nor removed", () => {
  const other = spawn("sleep", ["30"]);
  try {
    heldBy(other.pid ?? 0, startMark(other.pid ?? 0));
    expect(tryLock(lock)?.pid).toBe(other.pid);
    unlock(lock);
    expect(existsSync(lock)).toBe(true);
  } finally {
    other.kill();
  }
});

test("the lock of an ended process counts as free", () => {
  const gone = spawnSync("true").pid;
  heldBy(gone, "some mark");
  expect(tryLock(lock)).toBeNull();
});

test("a lock whose process id belongs to another process now counts as free", () => {
  heldBy(process.ppid, "another start");
  expect(tryLock(lock)).toBeNull();
});

test("an incomplete lock file counts as free", () => {
  writeFileSync(lock, '{"pid": 1');
  expect(tryLock(lock)).toBeNull();
});

test("exactly one of several concurrent processes takes the lock", async () => {
  heldBy(spawnSync("true").pid, "gone");
  const script = `import { tryLock } from ${JSON.stringify(path.resolve("lib/runtime/processes.ts"))};
    process.stdout.write(tryLock(${JSON.stringify(lock)}) === null ? "got" : "not");
    process.stdin.on("end", () => process.exit()).resume();`;
  const contenders = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script]),
  );
  const answers = await Promise.all(
    contenders.map(
      (child) => new Promise<string>((done) => child.stdout.once("data", (text) => done(String(text)))),
    ),
  );
  for (const child of contenders) child.stdin.end();
  expect(answers.sort()).toEqual(["got", "not", "not", "not"]);
}, 20_000);

test("withLock releases the lock, also after an error", async () => {
  await expect(withLock(lock, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await withLock(lock, () => Promise.resolve("yes"))).toBe("yes");
  expect(existsSync(lock)).toBe(false);
});
