import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { heapFlags } from "#lib/runtime/memory.ts";

/* A web process with the heap of a small server, whose requests hold 2 MB each until all have arrived. */

const REQUESTS = 200;

const folder = mkdtempSync(path.join(tmpdir(), "sluice-heap-"));
const script = path.join(folder, "web.mjs");
const module = (file: string) =>
  JSON.stringify(new URL(`../../../lib/runtime/web/${file}`, import.meta.url).href);
writeFileSync(
  script,
  `import { createWebServer } from ${module("server.ts")};
   import { parseTrustedProxies } from ${module("client-address.ts")};
   import { guardHeap } from ${module("heap-guard.ts")};
   const guard = process.argv[2] === "guarded" ? guardHeap() : undefined;
   const { promise: allArrived, resolve: release } = Promise.withResolvers();
   let arrived = 0;
   const { server } = createWebServer(async (request, response) => {
     const held = Array.from({ length: 50_000 }, (_, i) => ({ i }));
     await allArrived;
     response.end(String(held.length));
   }, parseTrustedProxies([]), [], () => (guard?.() ? "busy" : null));
   server.on("request", () => ++arrived === ${REQUESTS} && release());
   server.listen(0, "127.0.0.1", () => process.send(server.address().port));`,
);

let child: ChildProcess;
afterEach(() => child.kill("SIGKILL"));
afterAll(() => rmSync(folder, { recursive: true }));

async function crowd(mode: "guarded" | "unguarded", budget: number) {
  child = fork(script, [mode], {
    execArgv: [...heapFlags("web", budget), "--disable-warning=ExperimentalWarning"],
    env: { ...process.env, LOG_LEVEL: "silent" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const ended = once(child, "exit");
  const [port] = (await once(child, "message")) as [number];
  const ask = (target: string) =>
    fetch(`http://127.0.0.1:${port}${target}`).then(
      async (answer) => (await answer.text(), answer),
      () => null,
    );
  const answers = await Promise.all(Array.from({ length: REQUESTS }, () => ask("/page")));
  return { ended, ask, answers };
}

describe(`${REQUESTS} requests that need more memory than there is`, () => {
  test("end an unguarded process", async () => {
    const { answers, ended } = await crowd("unguarded", 600);
    expect(answers).toContain(null);
    expect((await ended)[0]).not.toBe(0);
  });

  test.each([600, 800])(
    "are answered 200 or 503 with a budget of %i MB, and the process works on",
    async (budget) => {
      const { ask, answers } = await crowd("guarded", budget);
      const statuses = answers.map((answer) => answer?.status);
      expect(new Set(statuses)).toEqual(new Set([200, 503]));
      const refused = answers.find((answer) => answer?.status === 503);
      expect(refused?.headers.get("retry-after")).toBe("2");
      await expect.poll(async () => (await ask("/page"))?.status, { timeout: 5_000 }).toBe(200);
    },
  );
});
