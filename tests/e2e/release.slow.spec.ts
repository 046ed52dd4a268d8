import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { createSession } from "#tests/setup/api-client.ts";
import { ADMIN } from "#tests/setup/installation.ts";
import { limitMemory, type MemoryGroup } from "#tests/setup/memory-limit.ts";
import { addressOf, type Running, startProgram, stopProgram } from "#tests/setup/program.ts";
import packageJson from "../../package.json" with { type: "json" };

/*
 * The release archive, made from the build of these tests, unpacked and run as an operator does: by a user who cannot
 * write the program, with 1 GB of memory where this machine can limit it.
 */

test.describe.configure({ mode: "serial", timeout: 300_000 });

const MEMORY_MB = 1_024;
/** Of the unpacked archive. */
const MAX_SIZE = 600e6;
/** Alone it needs less than half of 15 s. Here other tests run at the same time. */
const MAX_START_MS = 30_000;
const isRoot = process.getuid?.() === 0;

let root: string;
/** Holds the folder of the program, `.env` and `data`, as /opt/sluice does. */
let installation: string;
let program: string;
let url: string;
let service: Running | undefined;
let memory: MemoryGroup | null = null;
let before: string[];

test.beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), "sluice-release-"));
  chmodSync(root, 0o755);
  installation = path.join(root, "sluice");
  mkdirSync(installation);
  const maker = path.resolve("lib/runtime/release/package.ts");
  execFileSync(process.execPath, ["--disable-warning=ExperimentalWarning", maker, root], { stdio: "pipe" });
  const [archive = ""] = readdirSync(root).filter((name) => name.endsWith(".tar.gz"));
  expect(archive).toBe(`sluice-${packageJson.version}-linux-${process.arch}.tar.gz`);
  execFileSync("tar", ["-xzf", path.join(root, archive), "-C", installation]);
  program = path.join(installation, archive.replace(".tar.gz", ""));
  // No user but root can write it.
  execFileSync("chmod", ["-R", "a-w", program]);
  const settings = [`ADMIN_EMAIL=${ADMIN.email}`, `ADMIN_PASSWORD="${ADMIN.password}"`, "PORT=0"];
  writeFileSync(path.join(installation, ".env"), settings.join("\n"));
  if (isRoot) chownSync(installation, user("-u"), user("-g"));
  memory = limitMemory(MEMORY_MB);
});

test.afterAll(async () => {
  await stop();
  memory?.remove();
  execFileSync("chmod", ["-R", "u+w", installation]);
  rmSync(root, { recursive: true, force: true });
});

/** An account that owns nothing; `initdb` refuses a user without one. */
function user(flag: "-u" | "-g"): number {
  return Number(execFileSync("id", [flag, "nobody"]));
}

function launch(words: string[]): Running {
  const running = startProgram(
    path.join(program, "sluice"),
    words,
    // Settings stand in `.env`. No Node.js and no npm.
    { ENV_FILE: undefined, HOME: root, TMPDIR: installation, PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
    { cwd: installation, ...(isRoot ? { uid: user("-u"), gid: user("-g") } : {}) },
  );
  if (running.child.pid !== undefined) memory?.add(running.child.pid);
  return running;
}

const run = (words: string[]) => launch(words).ended;

async function stop(): Promise<void> {
  if (service === undefined) return;
  expect(await stopProgram(service)).toBe(0);
  expect(service.output()).not.toMatch(/EACCES|EROFS|EPERM/);
  service = undefined;
}

/** Path, size and time of every file. */
function listing(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((file) => {
      const { size, mtimeMs, mode } = lstatSync(path.join(folder, file));
      return `${file} ${size} ${mtimeMs} ${mode}`;
    });
}

test("an archive holds the program and its packages, and nothing of tests or tools", () => {
  before = listing(program);
  const files = before.map((line) => line.split(" ", 1)[0] ?? "");
  const foreign =
    /^(app|components|tests|node_modules\/(typescript|prisma|tailwindcss|playwright|vitest))(\/|$)/;
  expect(
    files.filter(
      (file) =>
        foreign.test(file) ||
        /^(lib|prisma).*\.test\.ts$|^node_modules\/(@[^/]+\/)?[^/]+\/tests?\//.test(file),
    ),
  ).toEqual([]);
  expect(files.filter((file) => /^(\.env|data|.*\.(pem|key|zip))$/.test(file))).toEqual([]);
  const sizes = files.map((file) => lstatSync(path.join(program, file))).filter((entry) => entry.isFile());
  expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(MAX_SIZE);
});

test("every module of the program and the picture checks find their packages", () => {
  // Programs run when they are loaded. Next bundles current-member.ts and form-action.ts, which import its modules.
  const programs =
    /-process\.ts$|(current-member|form-action)\.ts$|runtime\/(supervisor\/(start|dev|worker|first-account)|web\/web|cli\/cli|install\/prepare-build)\.ts$/;
  const modules = readdirSync(path.join(program, "lib"), { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !programs.test(file),
  );
  expect(modules.length).toBeGreaterThan(270);
  const script = `
    for (const file of ${JSON.stringify(modules)}) await import(${JSON.stringify(`${program}/lib/`)} + file);
    const { answerOf } = await import(${JSON.stringify(`${program}/lib/checks/pictures/models.ts`)});
    const { scores, problem } = await answerOf(new Uint8Array(224 * 224 * 3));
    console.log(problem ?? Object.keys(scores).length);
    process.exit(0);`;
  const node = path.join(program, "node_modules/.bin/node");
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script];
  const environment = {
    NODE_ENV: "production" as const,
    DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none",
  };
  expect(execFileSync(node, args, { cwd: program, env: environment, encoding: "utf8" })).toBe("5\n");
});

test("it starts on an empty folder within seconds and 1 GB, without npm, network and write access", async () => {
  const begun = performance.now();
  service = launch(["start"]);
  url = await addressOf(service);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  const took = performance.now() - begun;
  console.log(`Release: ready after ${(took / 1000).toFixed(1)} s; limit of memory: ${memory !== null}.`);
  expect(took).toBeLessThan(MAX_START_MS);
  expect(service.output()).not.toMatch(/Building|Generating|Installing/);
  const { cookie } = await createSession(url, ADMIN.email, ADMIN.password);
  for (const page of ["/", "/review", "/queue", "/docs"])
    expect((await fetch(url + page, { headers: { cookie } })).status, page).toBe(200);
  expect(readdirSync(path.join(installation, "data"))).toContain("postgres");
});

test("its commands use the running service", async () => {
  const made = await run(["create-key", "--email", ADMIN.email, "--scopes", "read"]);
  expect(made, made.output).toMatchObject({ code: 0 });
  const [key = ""] = /slc_[\w-]+/.exec(made.output) ?? [];
  expect((await fetch(`${url}/api/v1/stats`, { headers: { "X-API-Key": key } })).status).toBe(200);
  expect(await run(["status"])).toMatchObject({
    code: 0,
    output: expect.stringContaining("Database: ready"),
  });
  expect((await run(["help"])).output).toMatch(/^Usage: \.\/sluice <command>[\s\S]*^ {2}start$/m);
  // In the folder of the caller.
  expect(await run(["backup", "backup.zip"])).toMatchObject({ code: 0 });
  expect(readdirSync(installation)).toContain("backup.zip");
});

test("nothing in the folder of the program has changed, and no process was killed for memory", async () => {
  await stop();
  expect(listing(program)).toEqual(before);
  if (memory === null)
    return console.log("Release: memory is not limited, because this user may not make control groups.");
  console.log(`Release: its processes needed at most ${memory.peak()} MB.`);
  expect(memory.kills()).toBe(0);
});
