import { fork, spawnSync, type ChildProcess } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { variableNames } from "#lib/base/env.ts";
import { waitForEnd } from "#lib/runtime/processes.ts";
import type { RunningMessage } from "#lib/runtime/supervisor/run-service.ts";
import { childrenOf, startWithAdmin } from "#tests/setup/installation.ts";

test.describe.configure({ mode: "serial" });

type Service = { process: ChildProcess; url: string; setupUrl: string | null; output: () => string };

let dataDir: string;
let service: Service;

test.beforeAll(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "sluice-service-"));
  // As root, the database runs under another account.
  chmodSync(dataDir, 0o711);
});

test.afterAll(async () => {
  service?.process.kill("SIGTERM");
  if (service?.process.pid) await waitForEnd(service.process.pid, 20_000);
  rmSync(dataDir, { recursive: true, force: true });
});

function launch(settings: Record<string, string> = {}): { process: ChildProcess; output: () => string } {
  const environment = { ...process.env };
  for (const name of [...variableNames]) delete environment[name];
  const child = fork(path.resolve("lib/runtime/supervisor/start.ts"), {
    execArgv: ["--disable-warning=ExperimentalWarning"],
    env: { ...environment, ENV_FILE: "", PORT: "0", DATA_DIR: dataDir, ...settings },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += String(chunk)));
  return { process: child, output: () => output };
}

async function start(settings: Record<string, string> = {}): Promise<Service> {
  const launched = launch(settings);
  const message = await new Promise<RunningMessage>((resolve, reject) => {
    launched.process.once("message", (told: RunningMessage) => resolve(told));
    launched.process.once("exit", () => reject(new Error(launched.output())));
  });
  return { ...launched, url: message.url, setupUrl: message.setup_url };
}

/** 0 while its file is being written. */
function databasePid(): number {
  const file = path.join(dataDir, "postgres", "postmaster.pid");
  return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : 0;
}

/** Connections and autovacuum workers may end meanwhile. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
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
  const second = launch();
  const code = await new Promise((resolve) => second.process.once("exit", resolve));
  expect(code).toBe(1);
  expect(second.output()).toContain("already runs on");
  expect(await status()).toBe(401);
});

test("a port in use is reported in one sentence", async () => {
  const other = mkdtempSync(path.join(tmpdir(), "sluice-other-"));
  const second = launch({ DATA_DIR: other, PORT: new URL(service.url).port });
  expect(await new Promise((resolve) => second.process.once("exit", resolve))).toBe(1);
  expect(second.output()).toMatch(
    /Port \d+ is taken: stop the program that uses it, or set PORT to another\./,
  );
  rmSync(other, { recursive: true });
});

test("invalid settings are reported together, without a stack trace", async () => {
  const wrong = launch({ TIME_ZONE: "Mars/Base", RETENTION_DAYS: "soon" });
  expect(await new Promise((resolve) => wrong.process.once("exit", resolve))).toBe(1);
  expect(wrong.output().trim().split("\n")).toHaveLength(2);
});

for (const name of ["sluice-web", "sluice-worker"]) {
  test(`a killed ${name} is restarted within seconds`, async () => {
    const [pid = 0] = childrenOf(service.process.pid, name);
    process.kill(pid, "SIGKILL");
    await expect
      .poll(() => childrenOf(service.process.pid, name).filter((each) => each !== pid))
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

test("a frozen database gives 503 within seconds, and requests work again afterwards", async () => {
  await expect.poll(statusWithKey, { timeout: 15_000 }).toBe(401);
  const web = childrenOf(service.process.pid, "sluice-web");
  const frozen = [databasePid(), ...childrenOf(databasePid(), "postgres")];
  try {
    for (const pid of frozen) signal(pid, "SIGSTOP");
    const ready = await fetch(`${service.url}/readyz`, { signal: AbortSignal.timeout(10_000) });
    expect([ready.status, ready.headers.get("retry-after")]).toEqual([503, "5"]);
    const begun = Date.now();
    const answers = await Promise.all(Array.from({ length: 15 }, statusWithKey));
    expect(answers).toEqual(Array(15).fill(503));
    // Consumers give up after 30 s. The watch takes 10 s, slow machines twice that.
    expect(Date.now() - begun).toBeLessThan(20_000);
    expect(await status()).toBe(401);
  } finally {
    for (const pid of frozen) signal(pid, "SIGCONT");
  }
  await expect.poll(statusWithKey, { timeout: 15_000 }).toBe(401);
  expect(await Promise.all(Array.from({ length: 30 }, statusWithKey))).toEqual(Array(30).fill(401));
  expect(childrenOf(service.process.pid, "sluice-web")).toEqual(web);
});

test("a killed supervisor ends web server and worker, and the next start ends its database", async () => {
  const pids = childrenOf(service.process.pid, "sluice-(web|worker)");
  expect(pids).toHaveLength(2);
  const database = databasePid();
  service.process.kill("SIGKILL");
  for (const pid of pids) expect(await waitForEnd(pid, 20_000)).toBe(true);
  service = await start();
  expect(await waitForEnd(database, 1_000)).toBe(true);
  expect(await status()).toBe(401);
});

test("SIGTERM stops web server, worker and database within seconds", async () => {
  const pids = [...childrenOf(service.process.pid, "sluice-(web|worker)"), databasePid()];
  const begun = Date.now();
  service.process.kill("SIGTERM");
  for (const pid of pids) expect(await waitForEnd(pid, 10_000)).toBe(true);
  expect(await waitForEnd(service.process.pid ?? 0, 5_000)).toBe(true);
  expect(Date.now() - begun).toBeLessThan(10_000);
  expect(existsSync(path.join(dataDir, "running.json"))).toBe(false);
  expect(service.output()).toContain("Stopped.");
});

test("only the step that creates the first account gets ADMIN_PASSWORD, and no child DIRECT_URL", async () => {
  const installation = await startWithAdmin({ hashtags: ["cats"] }, () => Promise.resolve({}));
  try {
    const withheld = (pid: number) => {
      // With the environment.
      const { stdout } = spawnSync("ps", ["eww", "-o", "args=", "-p", String(pid)], { encoding: "utf8" });
      expect(stdout).toContain(" PATH=");
      return [...stdout.matchAll(/ (DIRECT_URL|ADMIN_\w+)=/g)].map(([, name]) => name);
    };
    const { pid } = installation.app;
    expect(withheld(pid).sort()).toEqual(["ADMIN_EMAIL", "ADMIN_PASSWORD", "DIRECT_URL"]);
    const children = childrenOf(pid, "sluice-");
    expect(children).toHaveLength(2);
    expect(children.map(withheld)).toEqual([[], []]);
  } finally {
    await installation.stop();
  }
});
