import { readFileSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { db } from "#lib/base/db.ts";
import { log } from "#lib/base/log.ts";
import { isAlive } from "#lib/runtime/processes.ts";
import { supervise } from "#lib/runtime/supervisor/supervised-child.ts";
import { makePost } from "#tests/setup/factories.ts";
import { childrenOf } from "#tests/setup/program.ts";

const SILENCE_MS = 20_000;

test("a stopped worker is replaced, and its work is done", { timeout: 120_000 }, async () => {
  const error = vi.spyOn(log, "error").mockImplementation(() => undefined);
  const worker = supervise({
    name: "worker",
    file: new URL("../../../lib/runtime/supervisor/worker.ts", import.meta.url),
    env: { ...process.env },
    silenceMs: SILENCE_MS,
  });
  onTestFinished(worker.kill);
  await worker.ready;
  const pids = () => childrenOf(process.pid, "sluice-worker");
  await expect.poll(pids, { timeout: 20_000 }).toHaveLength(1);
  const [stopped = 0] = pids();
  process.kill(stopped, "SIGSTOP");
  await expect.poll(() => readFileSync(`/proc/${stopped}/stat`, "utf8")).toMatch(/\) T /);
  const { id } = await makePost();
  const isClassified = async () =>
    (await db.post.findUniqueOrThrow({ where: { id } })).classified_at !== null;
  expect(await isClassified()).toBe(false);
  await expect.poll(isClassified, { timeout: 90_000 }).toBe(true);
  expect(isAlive(stopped)).toBe(false);
  expect(error).toHaveBeenCalledWith(
    { process: "worker", silence: SILENCE_MS },
    "process sends no heartbeat, killing it",
  );
});
