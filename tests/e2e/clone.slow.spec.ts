import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { variableNames } from "#lib/base/env.ts";
import { buildFolder } from "#lib/runtime/install/build.ts";
import { ADMIN } from "#tests/setup/installation.ts";

/* Newer sources and a build beside the running service of a clone. Packages and build are those of this project, hard-linked. */

test.describe.configure({ mode: "serial", timeout: 600_000 });

let clone: string;
let service: Running | undefined;

type Running = { child: ChildProcess; output: () => string; ended: Promise<number | null> };

test.beforeAll(async () => {
  clone = mkdtempSync(path.join(tmpdir(), "sluice-clone-"));
  // As root, the database runs under another account.
  chmodSync(clone, 0o755);
  const sources = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { encoding: "utf8" });
  for (const name of sources.split("\0").filter((each) => each !== "" && existsSync(each)))
    cpSync(name, path.join(clone, name));
  for (const folder of ["node_modules", "prisma/generated", await buildFolder()]) link(folder);
  // Older than the packages.
  utimesSync(path.join(clone, "package-lock.json"), 0, 0);
  // These are written by starts and builds.
  for (const name of [".sluice", ".cache"])
    rmSync(path.join(clone, "node_modules", name), { recursive: true, force: true });
});

test.afterAll(async () => {
  await stop();
  rmSync(clone, { recursive: true, force: true });
});

async function stop(): Promise<void> {
  service?.child.kill("SIGTERM");
  await service?.ended;
}

/** Copies where the temporary folder is on another disk. */
function link(folder: string): void {
  try {
    execFileSync("cp", ["-al", "--parents", folder, clone], { stdio: "ignore" });
  } catch {
    execFileSync("cp", ["-a", "--parents", folder, clone]);
  }
}

function launch(...words: string[]): Running {
  const environment: NodeJS.ProcessEnv = { ...process.env };
  for (const name of [...variableNames, "NODE_ENV", "npm_lifecycle_event", "INIT_CWD"])
    delete environment[name];
  const child = spawn("npm", words, {
    cwd: clone,
    env: {
      ...environment,
      PATH: `${clone}/node_modules/.bin:${process.env.PATH}`,
      ENV_FILE: "",
      PORT: "0",
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  return { child, output: () => output, ended: new Promise((resolve) => child.once("close", resolve)) };
}

/** Starts the service. */
async function start(): Promise<string> {
  const started = (service = launch("start"));
  let isOver = false;
  void started.ended.then(() => (isOver = true));
  const isSettled = () => isOver || started.output().includes("Sluice runs at");
  await expect.poll(isSettled, { timeout: 240_000 }).toBe(true);
  const [, url] = /Sluice runs at (\S+)/.exec(started.output()) ?? [];
  expect(url, started.output()).toBeDefined();
  return url ?? "";
}

async function run(...words: string[]) {
  const { ended, output } = launch(...words);
  return { code: await ended, output: output() };
}

test("a build beside a running service leaves it its own, and the next one removes it", async () => {
  const builds = () => readdirSync(path.join(clone, ".next"));
  const [former = ""] = builds();
  const url = await start();
  const page = await (await fetch(`${url}/sign-in`)).text();
  const chunks = [...new Set(page.match(/\/_next\/static\/[^"\\]+/g))];
  replaceNext();

  writeFileSync(path.join(clone, "lib", "newer.ts"), "export {};\n");
  expect(await run("run", "build")).toMatchObject({ code: 0 });
  expect(builds()).toHaveLength(2);
  expect(chunks.length).toBeGreaterThan(3);
  for (const chunk of chunks) expect((await fetch(url + chunk)).status, chunk).toBe(200);
  // Loaded by its first request.
  expect((await fetch(`${url}/api/v1/curated/next`)).status).toBe(401);

  await stop();
  writeFileSync(path.join(clone, "lib", "newest.ts"), "export {};\n");
  expect(await run("run", "build")).toMatchObject({ code: 0 });
  expect(builds()).toHaveLength(2);
  expect(builds()).not.toContain(former);
});

/** A build takes minutes; where it is put does not depend on its content. */
function replaceNext(): void {
  const file = path.join(clone, "node_modules", "next", "dist", "bin", "next");
  rmSync(file);
  writeFileSync(
    file,
    `const { mkdirSync } = require("node:fs");
     for (const folder of ["static", "server/chunks/ssr"])
       mkdirSync(process.env.SLUICE_BUILD + "/" + folder, { recursive: true });`,
  );
}
