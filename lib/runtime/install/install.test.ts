import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { makeFolder } from "#tests/setup/folder.ts";

/* In a small project, with an npm that only notes that it ran. */

/** No account has it. */
const USER = 61_234;

let project: string;
let modules: string;

beforeEach(() => {
  project = makeFolder();
  modules = path.join(project, "node_modules");
  const program = "lib/runtime/install/install.mjs";
  cpSync(path.resolve(program), path.join(project, program));
  writeFileSync(path.join(project, "package-lock.json"), "{}");
  mkdirSync(path.join(modules, ".bin"), { recursive: true });
  symlinkSync(process.execPath, path.join(modules, ".bin", "node"));
  writeFileSync(path.join(project, "npm-cli.cjs"), 'require("node:fs").writeFileSync("ran", "")');
});

/** @param seconds after the lockfile */
function setInstalled(seconds: number): void {
  const file = path.join(modules, ".package-lock.json");
  writeFileSync(file, "{}");
  const { mtimeMs } = statSync(path.join(project, "package-lock.json"));
  utimesSync(file, new Date(), new Date(mtimeMs + seconds * 1000));
}

function install(words = ["--production"], uid = process.getuid?.()) {
  const { status, stderr } = spawnSync(
    process.execPath,
    [path.join(project, "lib/runtime/install/install.mjs"), ...words],
    {
      uid,
      cwd: project,
      env: { NODE_ENV: "test", PATH: process.env.PATH, npm_execpath: path.join(project, "npm-cli.cjs") },
      encoding: "utf8",
    },
  );
  return { status, stderr, hasRun: existsSync(path.join(project, "ran")) };
}

test("packages are installed when there are none, or the lockfile is newer", () => {
  expect(install()).toEqual({ status: 0, stderr: "", hasRun: true });
  rmSync(path.join(project, "ran"));
  setInstalled(-1);
  expect(install()).toEqual({ status: 0, stderr: "", hasRun: true });
  rmSync(path.join(project, "ran"));
  setInstalled(1);
  expect(install()).toEqual({ status: 0, stderr: "", hasRun: false });
  // Installed without the packages of development.
  expect(install([])).toEqual({ status: 0, stderr: "", hasRun: true });
});

test.skipIf(process.getuid?.() !== 0)("outdated packages of root are not touched by another user", () => {
  setInstalled(-1);
  expect(install(undefined, USER)).toEqual({
    status: 1,
    stderr: `${modules} belongs to another user: run this as that user.\n`,
    hasRun: false,
  });
  setInstalled(1);
  // As in an image that its user cannot write to.
  expect(install(undefined, USER)).toEqual({ status: 0, stderr: "", hasRun: false });
});
