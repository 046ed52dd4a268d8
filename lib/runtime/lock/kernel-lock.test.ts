import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeKernelLock } from "./kernel-lock.ts";

let folder: string;
let file: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "sluice-kernel-lock-"));
  file = path.join(folder, "data.lock");
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

/** Another process that tries to take the lock and keeps it. */
function contender(): Promise<{ child: ChildProcess; answer: string }> {
  const script = `import { takeKernelLock } from ${JSON.stringify(path.resolve("lib/runtime/lock/kernel-lock.ts"))};
    const lock = takeKernelLock(${JSON.stringify(file)});
    process.stdout.write(typeof lock === "string" ? lock : "taken");
    process.stdin.on("end", () => process.exit()).resume();`;
  return run(script);
}

async function run(script: string): Promise<{ child: ChildProcess; answer: string }> {
  const child = spawn(process.execPath, [
    "--disable-warning=ExperimentalWarning",
    "--input-type=module",
    "-e",
    script,
  ]);
  children.push(child);
  const answer = await new Promise<string>((done) => child.stdout.once("data", (text) => done(String(text))));
  return { child, answer };
}

test("exactly one of several concurrent processes takes the lock", async () => {
  const all = await Promise.all(Array.from({ length: 4 }, contender));
  expect(all.map(({ answer }) => answer).sort()).toEqual(["held", "held", "held", "taken"]);
}, 20_000);

test("the lock of a killed process is free at once, and leaves no files", async () => {
  const { child, answer } = await contender();
  expect([answer, takeKernelLock(file)]).toEqual(["taken", "held"]);
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("exit", resolve));
  const lock = takeKernelLock(file);
  expect(lock).toHaveProperty("release");
  expect(readdirSync(folder)).toEqual(["data.lock"]);
  if (typeof lock !== "string") lock.release();
});

test("an attempt of the holder itself fails, and the lock still stands for others", async () => {
  const lock = takeKernelLock(file);
  expect(takeKernelLock(file)).toBe("held");
  expect((await contender()).answer).toBe("held");
  if (typeof lock !== "string") lock.release();
  expect((await contender()).answer).toBe("taken");
});

test("several processes share a lock, and it is held until the last one ends", async () => {
  const script = `import { shareKernelLock } from ${JSON.stringify(path.resolve("lib/runtime/lock/kernel-lock.ts"))};
    await shareKernelLock(${JSON.stringify(file)});
    process.stdout.write("shared");
    process.stdin.resume();`;
  const sharers = await Promise.all([run(script), run(script)]);
  expect(sharers.map(({ answer }) => answer)).toEqual(["shared", "shared"]);
  for (const { child } of sharers) {
    expect(takeKernelLock(file)).toBe("held");
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
  }
  const lock = takeKernelLock(file);
  expect(lock).toHaveProperty("release");
  if (typeof lock !== "string") lock.release();
});
