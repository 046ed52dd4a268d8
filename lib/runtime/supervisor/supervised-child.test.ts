import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { log } from "#lib/log.ts";
import { isAlive } from "#lib/runtime/processes.ts";
import { supervise, type SupervisedChild } from "./supervised-child.ts";

const EXEC_PATH = process.execPath;

let folder: string;
let child: SupervisedChild | undefined;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "sluice-child-"));
});

afterEach(() => {
  child?.kill();
  child = undefined;
  process.execPath = EXEC_PATH;
  rmSync(folder, { recursive: true });
});

function superviseScript(
  body: string,
  env: NodeJS.ProcessEnv = { ...process.env },
  silenceMs?: number,
): SupervisedChild {
  const script = path.join(folder, "child.mjs");
  writeFileSync(
    script,
    `import { appendFileSync } from "node:fs";
     appendFileSync(${JSON.stringify(path.join(folder, "pids"))}, process.pid + "\\n");
     ${body}`,
  );
  child = supervise({ name: "probe", file: pathToFileURL(script), env, silenceMs });
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
  const beat = 'setInterval(() => process.send({ type: "alive" }), 50);';
  await superviseScript(READY + OBEY + beat, undefined, 2_000).ready;
  // A heartbeat keeps it alive for longer than the limit.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(pids()).toHaveLength(1);
  const [first = 0] = pids();
  process.kill(first, "SIGSTOP");
  await expect.poll(() => pids().length, { timeout: 10_000 }).toBe(2);
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

describe.each(FAILURES)("when the system cannot start a process ($failure)", ({ failure, breakIt, mend }) => {
  test("tries again until it can", async () => {
    const warn = vi.spyOn(log, "error");
    const env = { ...process.env };
    await superviseScript(READY + OBEY, env).ready;
    breakIt(env);
    process.kill(pids()[0] ?? 0, "SIGKILL");
    await expect
      .poll(() => warn.mock.calls.filter(([fields]) => "problem" in (fields as object)).length)
      .toBeGreaterThan(1);
    expect(warn.mock.lastCall?.[0]).toMatchObject({ problem: expect.stringContaining(failure) as string });
    mend(env);
    await expect.poll(() => pids().length, { timeout: 5_000 }).toBe(2);
  });
});

test("does not restart a child that dies before it is ready", async () => {
  await expect(superviseScript("process.exit(3);").ready).rejects.toThrow(
    "ended while it was starting (code 3)",
  );
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(pids()).toHaveLength(1);
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

test("says why a restarted child cannot start, and gives up after five such starts", async () => {
  const error = vi.spyOn(log, "error");
  const failing = 'process.send({ type: "failed", sentence: "Port 80 is taken." }, () => process.exit(1));';
  const script = path.join(folder, "failing.mjs");
  writeFileSync(script, `${READY} setTimeout(() => process.exit(1), 300);`);
  const onGiveUp = vi.fn();
  child = supervise({ name: "probe", file: pathToFileURL(script), env: { ...process.env }, onGiveUp });
  await child.ready;
  writeFileSync(script, failing);
  await expect.poll(() => onGiveUp.mock.calls, { timeout: 15_000 }).toEqual([["Port 80 is taken."]]);
  const told = error.mock.calls.filter(([, message]) => message === "process cannot start");
  expect(told.map(([fields]) => fields)).toEqual(
    Array(5).fill({ process: "probe", reason: "Port 80 is taken." }),
  );
});
