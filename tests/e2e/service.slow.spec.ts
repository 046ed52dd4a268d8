import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { waitForEnd } from "#lib/runtime/processes.ts";
import type { RunningMessage } from "#lib/runtime/supervisor/run-service.ts";
import { childrenOf, type Running, startNode } from "#tests/setup/program.ts";

test.describe.configure({ mode: "serial" });

type Service = Running & { url: string; setupUrl: string | null };

let dataDir: string;
let service: Service;

test.beforeAll(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "sluice-service-"));
  // As root, the database runs under another account.
  chmodSync(dataDir, 0o711);
});

test.afterAll(async () => {
  service?.child.kill("SIGTERM");
  await service?.ended;
  rmSync(dataDir, { recursive: true, force: true });
});

const launch = (settings: Record<string, string> = {}) =>
  startNode("lib/runtime/supervisor/start.ts", [], { PORT: "0", DATA_DIR: dataDir, ...settings });

async function start(settings: Record<string, string> = {}): Promise<Service> {
  const launched = launch(settings);
  const message = await new Promise<RunningMessage>((resolve, reject) => {
    launched.child.once("message", (told: RunningMessage) => resolve(told));
    launched.child.once("exit", () => reject(new Error(launched.output())));
  });
  return { ...launched, url: message.url, setupUrl: message.setup_url };
}

/** 0 while its file is being written. */
function databasePid(): number {
  const file = path.join(dataDir, "postgres", "postmaster.pid");
  return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : 0;
}

/** Without a key: 401 means that web server and routes work. */
async function status(): Promise<number> {
  const answer = await fetch(`${service.url}/api/v1/curated/next`).catch(() => null);
  return answer?.status ?? 0;
}

/** With a wrong key: 401 when the database answers, 503 when not. */
async function statusWithKey(): Promise<number> {
  const headers = { "X-API-Key": "not a key" };
  const answer = await fetch(`${service.url}/api/v1/stats`, { headers }).catch(() => null);
  return answer?.status ?? 0;
}

test("a first start prints the one-time setup link", async () => {
  service = await start();
  expect(service.setupUrl).toContain(`${service.url}/`);
  expect(service.output()).toContain("There is no account yet");
  expect(await status()).toBe(401);
});

test("a second copy on the same data stops with a message", async () => {
  expect(await launch().ended).toMatchObject({ code: 1, output: expect.stringContaining("already runs on") });
  expect(await status()).toBe(401);
});

test("a port in use is reported in one sentence", async () => {
  const other = mkdtempSync(path.join(tmpdir(), "sluice-other-"));
  const second = launch({ DATA_DIR: other, PORT: new URL(service.url).port });
  const { code, output } = await second.ended;
  expect(code).toBe(1);
  expect(output).toMatch(/Port \d+ is taken: stop the program that uses it, or set PORT to another\./);
  rmSync(other, { recursive: true });
});

test("invalid settings are reported together, without a stack trace", async () => {
  const { code, output } = await launch({ TIME_ZONE: "Mars/Base", RETENTION_DAYS: "soon" }).ended;
  expect(code).toBe(1);
  expect(output.trim().split("\n")).toHaveLength(2);
});

for (const name of ["sluice-web", "sluice-worker"]) {
  test(`a killed ${name} is restarted within seconds`, async () => {
    const [pid = 0] = childrenOf(service.child.pid, name);
    process.kill(pid, "SIGKILL");
    await expect
      .poll(() => childrenOf(service.child.pid, name).filter((each) => each !== pid))
      .toHaveLength(1);
    await expect.poll(status, { timeout: 5_000 }).toBe(401);
  });
}

test("a killed database is restarted, and requests work again without other restarts", async () => {
  await expect.poll(statusWithKey).toBe(401);
  const before = databasePid();
  process.kill(before, "SIGKILL");
  await expect.poll(statusWithKey, { timeout: 15_000 }).toBe(401);
  await expect.poll(() => ![0, before].includes(databasePid()), { timeout: 15_000 }).toBe(true);
});

test("a killed supervisor ends web server and worker, and the next start ends its database", async () => {
  const pids = childrenOf(service.child.pid, "sluice-(web|worker)");
  expect(pids).toHaveLength(2);
  const database = databasePid();
  service.child.kill("SIGKILL");
  for (const pid of pids) expect(await waitForEnd(pid, 20_000)).toBe(true);
  service = await start();
  expect(await waitForEnd(database, 1_000)).toBe(true);
  expect(await status()).toBe(401);
});

test("SIGTERM stops web server, worker and database within seconds", async () => {
  const pids = [...childrenOf(service.child.pid, "sluice-(web|worker)"), databasePid()];
  const begun = Date.now();
  service.child.kill("SIGTERM");
  for (const pid of pids) expect(await waitForEnd(pid, 10_000)).toBe(true);
  expect(await waitForEnd(service.child.pid ?? 0, 5_000)).toBe(true);
  expect(Date.now() - begun).toBeLessThan(10_000);
  expect(existsSync(path.join(dataDir, "running.json"))).toBe(false);
  expect(service.output()).toContain("Stopped.");
});

test("SIGTERM during a start ends it, and no address is announced", async () => {
  const starting = launch();
  await expect.poll(starting.output, { timeout: 30_000 }).toContain("Starting the processes");
  starting.child.kill("SIGTERM");
  const { code, output } = await starting.ended;
  expect([code, output]).toEqual([0, expect.not.stringContaining("Sluice runs at")]);
});
