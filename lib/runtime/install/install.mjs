// @ts-check
/*
 * Runs before most npm scripts: installs the packages when the lockfile is newer, and looks for a Node that runs
 * TypeScript. It runs on the machine's own Node, so it uses no packages and nothing newer than Node 20.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const modules = path.join(root, "node_modules");
const isWindows = process.platform === "win32";
const packaged = path.join(modules, ".bin", isWindows ? "node.cmd" : "node");
/** Whether development packages are left out, which are a third of the download. */
const isForProduction = process.argv.includes("--production");

if (!isInstalled()) install();
checkNode();

function isInstalled() {
  const installed = fs.statSync(path.join(modules, ".package-lock.json"), { throwIfNoEntry: false });
  if (!isForProduction && !fs.existsSync(path.join(modules, "vitest"))) return false;
  return fs.statSync(path.join(root, "package-lock.json")).mtimeMs <= (installed?.mtimeMs ?? 0);
}

function install() {
  const owner = fs.statSync(modules, { throwIfNoEntry: false })?.uid ?? process.getuid?.();
  // Files of two users would make the next installation fail half-way.
  if (owner !== process.getuid?.()) fail(`${modules} belongs to another user: run this as that user.`);
  console.log("Installing packages (a minute or two the first time) …");
  const cli = process.env.npm_execpath ?? "";
  // No package needs its install script.
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  args.push(isForProduction ? "--omit=dev" : "--include=dev");
  // Not with the Node of the packages, because npm replaces it.
  const code = cli.endsWith("js") ? run(nodeOutside(), [cli, ...args]) : run("npm", args);
  if (code !== 0) fail("Installing the packages failed: is the npm registry reachable?");
}

/** Removes node_modules/.bin/node, which npm scripts prefer, if it does not run here. */
function checkNode() {
  if (fs.existsSync(packaged) && run(packaged, ["--version"], "ignore") === 0) return;
  fs.rmSync(packaged, { force: true });
  const [major = 0, minor = 0] = String(spawnSync(nodeOutside(), ["--version"]).stdout)
    .slice(1)
    .split(".")
    .map(Number);
  if (major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18)) return;
  fail(`Node ${major}.${minor} is too old to run Sluice: install Node 24 from nodejs.org.`);
}

function nodeOutside() {
  const folders = (process.env.PATH ?? "")
    .split(path.delimiter)
    .filter((each) => !each.includes("node_modules"));
  const files = folders.map((folder) => path.join(folder, isWindows ? "node.exe" : "node"));
  return files.find((file) => fs.existsSync(file)) ?? process.execPath;
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {"inherit" | "ignore"} stdio
 */
function run(command, args, stdio = "inherit") {
  return spawnSync(command, args, { cwd: root, stdio, shell: isWindows }).status;
}

/** @param {string} sentence @returns {never} */
function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
