import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, test, vi } from "vitest";
import { startApiServer } from "#tests/setup/api-server.ts";
import { POSTS, Walk, type Step } from "./walk.ts";

/*
 * Random orders of the operations of authors, reviewers, consumers and operators. A post is handed out only with a text
 * that a reviewer read and approved, never twice, and never after its author's withdrawal was seen.
 */

const home = await vi.hoisted(async () => {
  const { startSimulatedServer } = await import("#tests/simulated-server/server.ts");
  const server = await startSimulatedServer({ posts: 0, hashtags: ["cats"] });
  server.control.rateLimit = null;
  process.env.ALLOWED_PRIVATE_HOSTS = server.origin;
  return server;
});
const databaseUrl = process.env.DATABASE_URL ?? "";
let here: Awaited<ReturnType<typeof startApiServer>>;

beforeAll(async () => {
  here = await startApiServer();
});
afterAll(async () => {
  await here.close();
  await home.close();
});

const names = [
  ..."fetch fetch check edit edit deleteAtHome refuse look look review review decide decide batch undo undo".split(
    " ",
  ),
  ..."next next next next ack ack nack error timeOut endPauses requeue cleanup".split(" "),
];
// Small numbers would prefer refusals and deletions.
const step = fc.noBias(fc.tuple(fc.constantFrom(...names), fc.nat(POSTS - 1), fc.nat(60)));

let last: Promise<unknown> = Promise.resolve();

/** After the walk before it: fast-check does not wait for the one that its time limit interrupts. */
function run(...given: Parameters<typeof takeSteps>): Promise<void> {
  const walk = last.then(() => takeSteps(...given));
  last = walk.catch(() => undefined);
  return walk;
}

/** @param together steps that run at the same time */
async function takeSteps(steps: Step[], { restores = false, together = 1, processes = [here.url] } = {}) {
  const walk = new Walk(home, databaseUrl, processes);
  await walk.begin();
  try {
    for (let at = 0; at < steps.length; at += together) {
      if (restores && at === Math.floor(steps.length / 3)) await walk.backUp();
      if (restores && at === Math.floor((2 * steps.length) / 3)) await walk.restore();
      await walk.runTogether(steps.slice(at, at + together));
    }
    await walk.end();
  } finally {
    await walk.close();
  }
}

/** A run takes three seconds on a quiet machine, and fifteen beside other tests. */
const limits = (runs: number, limitMs = 120_000) => ({
  numRuns: Number(process.env.RUNS ?? runs),
  interruptAfterTimeLimit: limitMs,
  seed: Number(process.env.FUZZ_SEED ?? 1),
  endOnFailure: true,
});

test("nothing unread or withdrawn is handed out, whatever the order of operations", async () => {
  const steps = fc.array(step, { minLength: 1, maxLength: 70, size: "max" });
  await fc.assert(
    fc.asyncProperty(steps, (given) => run(given)),
    limits(20),
  );
}, 300_000);

test("nothing unread or withdrawn is handed out after a restore", async () => {
  const steps = fc.array(step, { minLength: 1, maxLength: 60, size: "max" });
  await fc.assert(
    fc.asyncProperty(steps, (given) => run(given, { restores: true })),
    limits(3),
  );
}, 300_000);

test("nothing is handed out twice, unread or withdrawn while two processes serve the same posts", async () => {
  const other = fork(path.resolve("tests/setup/api-process.ts"));
  try {
    const [url] = (await once(other, "message")) as [string];
    // A walk of 120 steps takes longer than the limit on a busy machine.
    const steps = fc.array(step, { minLength: 30, maxLength: 40, size: "max" });
    await fc.assert(
      fc.asyncProperty(steps, (given) => run(given, { together: 6, processes: [here.url, url] })),
      limits(12, 75_000),
    );
  } finally {
    other.disconnect();
    await once(other, "exit");
  }
}, 180_000);
