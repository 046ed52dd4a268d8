import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
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
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

/* In a small project, with an npm that only notes that it ran. */

/** No account has it. */
const USER = 61_234;
const OUTDATED = '{"packages":{"":{}}}';
const LOCKFILE = '{"packages":{"":{},"node_modules/a":{"version":"2.0.0","integrity":"sha512-b"}}}';

let project: string;
let modules: string;
let holder: ChildProcess | undefined;

beforeEach(() => {
  project = mkdtempSync(path.join(tmpdir(), "sluice-install-"));
  chmodSync(project, 0o755);
  modules = path.join(project, "node_modules");
  for (const name of [
    "install/install.mjs",
    "install/installed.mjs",
    "install/packages-in-use.ts",
    "lock/kernel-lock.ts",
  ])
    cpSync(path.resolve("lib/runtime", name), path.join(project, "lib/runtime", name));
  writeFileSync(path.join(project, "package.json"), '{"type":"module","imports":{"#lib/*":"./lib/*"}}');
  writeFileSync(path.join(project, "package-lock.json"), LOCKFILE);
  mkdirSync(path.join(modules, ".bin"), { recursive: true });
  symlinkSync(process.execPath, path.join(modules, ".bin", "node"));
  writeFileSync(
    path.join(project, "npm-cli.cjs"),
    'require("node:fs").writeFileSync("ran", process.env.npm_config_cache)',
  );
});

afterEach(() => {
  holder?.kill("SIGKILL");
  holder = undefined;
  rmSync(project, { recursive: true, force: true });
});

function setInstalled(lockfile: string): void {
  writeFileSync(path.join(modules, ".package-lock.json"), lockfile);
}

function install(uid = process.getuid?.() ?? 0, home = project) {
  const npm = path.join(project, "npm-cli.cjs");
  const { status, stderr } = spawnSync(
    process.execPath,
    [path.join(project, "lib/runtime/install/install.mjs"), "--production"],
    {
      uid,
      cwd: project,
      env: {
        NODE_ENV: "test",
        PATH: process.env.PATH,
        TMPDIR: project,
        HOME: home,
        npm_execpath: npm,
        npm_config_cache: path.join(home, ".npm"),
      },
      encoding: "utf8",
    },
  );
  return { status, stderr, hasRun: existsSync(path.join(project, "ran")) };
}

test("packages are not replaced while a service uses them", async () => {
  setInstalled(OUTDATED);
  const program = path.join(project, "lib/runtime/install/packages-in-use.ts");
  holder = spawn(process.execPath, [
    "--disable-warning=ExperimentalWarning",
    "--input-type=module",
    "-e",
    `import { holdPackages } from ${JSON.stringify(program)};
     await holdPackages();
     process.stdout.write("held");
     process.stdin.resume();`,
  ]);
  await new Promise((resolve) => holder?.stdout?.once("data", resolve));
  expect(install()).toEqual({
    status: 1,
    stderr: "The sources have changed: stop the service and start it first.\n",
    hasRun: false,
  });
  holder.kill("SIGKILL");
  await new Promise((resolve) => holder?.once("exit", resolve));
  expect(install()).toEqual({ status: 0, stderr: "", hasRun: true });
}, 60_000);

describe.skipIf(process.getuid?.() !== 0)("with two users", { timeout: 60_000 }, () => {
  test("root leaves packages of another user alone", () => {
    setInstalled(LOCKFILE);
    execFileSync("chown", ["-R", String(USER), project]);
    const before = readdirSync(modules, { recursive: true });
    const { status, stderr } = install(0);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(`belongs to the user ${USER}: run this as`),
    ]);
    expect(readdirSync(modules, { recursive: true })).toEqual(before);
    expect(install(USER).status).toBe(0);
  });

  test("outdated packages of root are not touched by another user", () => {
    setInstalled(OUTDATED);
    const { status, stderr, hasRun } = install(USER);
    expect([status, stderr, hasRun]).toEqual([
      1,
      `${modules} belongs to root: run this as that user.\n`,
      false,
    ]);
  });

  test("packages that fit need no stamp, as in an image that its user cannot write to", () => {
    setInstalled(LOCKFILE);
    expect(install(USER)).toEqual({ status: 0, stderr: "", hasRun: false });
    expect(existsSync(path.join(modules, ".sluice-lock"))).toBe(false);
  });

  test("root leaves no npm cache in the home of another user", () => {
    setInstalled(OUTDATED);
    const home = path.join(project, "home");
    mkdirSync(home);
    chownSync(home, USER, USER);
    expect(install(0, home)).toMatchObject({ status: 0, hasRun: true });
    expect(readFileSync(path.join(project, "ran"), "utf8")).toBe(path.join(project, "sluice-npm-cache-0"));
    expect(readdirSync(home)).toEqual([]);
  });
});
