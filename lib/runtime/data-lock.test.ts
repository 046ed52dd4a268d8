import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { makeFolder } from "#tests/setup/folder.ts";
import { type DataLock, lockDataDir } from "./data-lock.ts";

let folder: string;
let record: string;

beforeEach(() => {
  folder = makeFolder();
  record = path.join(folder, "running.json");
});

async function take(): Promise<DataLock> {
  const lock = await lockDataDir(folder, "service");
  onTestFinished(() => lock.release());
  return lock;
}

/** Another process that tries to take the lock and keeps it. */
async function contender(): Promise<{ child: ChildProcess; answer: string }> {
  const script = `import { lockDataDir } from ${JSON.stringify(path.resolve("lib/runtime/data-lock.ts"))};
    await lockDataDir(${JSON.stringify(folder)}, "service").then(
      () => process.stdout.write("taken"), (error) => process.stdout.write(error.name));
    process.stdin.on("end", () => process.exit()).resume();`;
  const words = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script];
  const child = spawn(process.execPath, words);
  onTestFinished(() => void child.kill("SIGKILL"));
  const answer = await new Promise<string>((done) => child.stdout.once("data", (text) => done(String(text))));
  return { child, answer };
}

test("exactly one of several concurrent processes takes the lock", async () => {
  const all = await Promise.all(Array.from({ length: 4 }, contender));
  const others = Array.from({ length: 3 }, () => "DataFolderInUse");
  expect(all.map(({ answer }) => answer).sort()).toEqual([...others, "taken"]);
}, 20_000);

test("the lock of a killed process is free at once, and leaves no files", async () => {
  const { child, answer } = await contender();
  expect(answer).toBe("taken");
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("exit", resolve));
  (await take()).release();
  expect(readdirSync(folder)).toEqual(["data.lock"]);
});

test("a held folder is refused in one sentence that names the holder, also to the holder itself", async () => {
  await take();
  await expect(take()).rejects.toThrow(
    new RegExp(`^Sluice already runs on ${folder} \\(process ${process.pid} on .+\\): stop that one`),
  );
  expect((await contender()).answer).toBe("DataFolderInUse");
});

test("a folder that cannot be written to is told with what to do", async () => {
  mkdirSync(path.join(folder, "data.lock"));
  await expect(take()).rejects.toThrow(
    /cannot be written to: start Sluice as the user it belongs to, or set/,
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
