import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { log } from "#lib/base/log.ts";
import { isAlive } from "#lib/runtime/processes.ts";
import { makeFolder } from "#tests/setup/folder.ts";
import { supervise, type ChildOptions, type SupervisedChild } from "./supervised-child.ts";

const EXEC_PATH = process.execPath;

let folder: string;
let child: SupervisedChild | undefined;

beforeEach(() => void (folder = makeFolder()));

afterEach(() => {
  vi.useRealTimers();
  child?.kill();
  child = undefined;
  process.execPath = EXEC_PATH;
});

function superviseScript(
  body: string,
  env: NodeJS.ProcessEnv = { ...process.env },
  options: Partial<ChildOptions> = {},
): SupervisedChild {
  const script = path.join(folder, "child.mjs");
  writeFileSync(
    script,
    `import { appendFileSync } from "node:fs";
     appendFileSync(${JSON.stringify(path.join(folder, "pids"))}, process.pid + "\\n");
     ${body}`,
  );
  child = supervise({ name: "probe", file: pathToFileURL(script), env, pauseMs: 20, ...options });
  return child;
}

function pids(): number[] {
  return readFileSync(path.join(folder, "pids"), "utf8").trim().split("\n").map(Number);
}

const READY = 'process.send({ type: "ready" });';
const OBEY = 'process.on("message", (message) => message.type === "stop" && process.exit(0));';

test("restarts a child once for each death", async () => {
  await superviseScript(READY + OBEY).ready;
  process.kill(pids()[0] ?? 0, "SIGKILL");
  await expect.poll(() => pids().length, { timeout: 5_000 }).toBe(2);
  process.kill(pids()[1] ?? 0, "SIGKILL");
  await expect.poll(() => pids().length, { timeout: 5_000 }).toBe(3);
});

test("replaces a child whose heartbeat stops, and says so in the log", async () => {
  const error = vi.spyOn(log, "error");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const beats = path.join(folder, "beats");
  const beat = `setInterval(() => process.send({ type: "alive" }, () => appendFileSync(${JSON.stringify(beats)}, ".")), 10);`;
  await superviseScript(READY + OBEY + beat, undefined, { silenceMs: 6_000 }).ready;
  const count = () => (existsSync(beats) ? statSync(beats).size : 0);
  // A heartbeat keeps it alive for longer than the limit.
  for (let n = 0; n < 3; n++) {
    vi.advanceTimersByTime(4_000);
    const before = count();
    await expect.poll(count).toBeGreaterThan(before + 1);
  }
  expect(pids()).toHaveLength(1);
  const [first = 0] = pids();
  process.kill(first, "SIGSTOP");
  vi.advanceTimersByTime(6_000);
  await expect.poll(() => pids().length, { timeout: 5_000 }).toBe(2);
  expect(isAlive(first)).toBe(false);
  expect(error.mock.calls.map(([, message]) => message)).toEqual([
    "process sends no heartbeat, killing it",
    "process died, restarting",
  ]);
});

/* Two failures of the system call: one emits an event, the other throws. */
const FAILURES = [
  {
    failure: "ENOENT",
    breakIt: () => (process.execPath = path.join(folder, "missing")),
    mend: () => (process.execPath = EXEC_PATH),
  },
  {
    failure: "E2BIG",
    breakIt: (env: NodeJS.ProcessEnv) => (env.TOO_LONG = "x".repeat(200_000)),
    mend: (env: NodeJS.ProcessEnv) => delete env.TOO_LONG,
  },
];

test.each(FAILURES)(
  "tries again until the system can start a process ($failure)",
  async ({ failure, breakIt, mend }) => {
    const warn = vi.spyOn(log, "error");
    const env = { ...process.env };
    await superviseScript(READY + OBEY, env).ready;
    breakIt(env);
    process.kill(pids()[0] ?? 0, "SIGKILL");
    await expect
      .poll(() => warn.mock.calls.filter(([fields]) => JSON.stringify(fields).includes(failure)).length)
      .toBeGreaterThan(1);
    mend(env);
    await expect.poll(() => pids().length, { timeout: 5_000 }).toBe(2);
  },
);

test("does not restart a child that dies before it is ready", async () => {
  const error = vi.spyOn(log, "error");
  await expect(superviseScript("process.exit(3);").ready).rejects.toThrow(
    "ended while it was starting (code 3)",
  );
  expect(error).not.toHaveBeenCalled();
});

test("rejects with the reason that a failed child reports, and ends the child", async () => {
  const failing = superviseScript(
    'process.send({ type: "failed", sentence: "Port 80 is taken." }); setInterval(() => {}, 1000);',
  );
  await expect(failing.ready).rejects.toThrow("Port 80 is taken.");
  await expect.poll(() => isAlive(pids()[0] ?? 0)).toBe(false);
});

test("kills a child that does not stop in time", async () => {
  const stubborn = superviseScript(`${READY} process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);`);
  await stubborn.ready;
  await stubborn.stop(200);
  expect(isAlive(pids()[0] ?? 0)).toBe(false);
});

test("says why a restarted child cannot start, and tries again", async () => {
  const error = vi.spyOn(log, "error");
  const failing = 'process.send({ type: "failed", sentence: "Port 80 is taken." }, () => process.exit(1));';
  await superviseScript(READY + OBEY).ready;
  writeFileSync(path.join(folder, "child.mjs"), failing);
  process.kill(pids()[0] ?? 0, "SIGKILL");
  const told = () => error.mock.calls.filter(([, message]) => message === "process cannot start");
  await expect.poll(() => told().length, { timeout: 5_000 }).toBeGreaterThan(1);
  expect(told()[0]?.[0]).toEqual({ process: "probe", reason: "Port 80 is taken." });
});
