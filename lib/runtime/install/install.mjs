// @ts-check
/*
 * Runs before most npm scripts: installs missing or outdated packages and checks that Node runs TypeScript.
 * It runs on the machine's own Node, so it uses no packages and nothing newer than Node 20.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { isForProduction, isInstalled, markInstalled, modules, root } from "./installed.mjs";

const bin = path.join(modules, ".bin");
/** Exit code of packages-in-use.ts. */
const IN_USE = 3;

/** @type {[number, number]} */
const OLDEST_NODE = [20, 0];

await main();

async function main() {
  if (!isAtLeast(process.versions.node, OLDEST_NODE)) {
    fail(
      `Sluice needs Node 20 or newer to install itself, and this is Node ${process.versions.node}: see nodejs.org.`,
    );
  }
  refuseOtherUser(false);
  if (!isInstalled()) {
    refuseBesideService();
    refuseOtherUser(true);
    const lock = takeLock();
    try {
      if (!isInstalled()) await install();
    } finally {
      fs.rmSync(lock, { recursive: true, force: true });
    }
    markInstalled();
  }
  checkRuntime();
}

/**
 * Files of root in the packages would make the next installation of their owner fail half-way.
 * @param {boolean} isOutdated
 */
function refuseOtherUser(isOutdated) {
  const owner = fs.statSync(modules, { throwIfNoEntry: false })?.uid;
  const user = process.getuid?.();
  if (owner === undefined || user === undefined || owner === user || (user !== 0 && !isOutdated)) return;
  const advice = user === 0 ? ", or remove that folder to install as root" : "";
  fail(`${modules} belongs to ${nameOf(owner)}: run this as that user${advice}.`);
}

/** @param {number} user */
function nameOf(user) {
  const named = spawnSync("id", ["-nu", String(user)], { encoding: "utf8" });
  return named.status === 0 ? named.stdout.trim() : `the user ${user}`;
}

function refuseBesideService() {
  const program = path.join(root, "lib", "runtime", "install", "packages-in-use.ts");
  const { status } = spawnSync(packagedNode(), ["--disable-warning=ExperimentalWarning", program], {
    shell: process.platform === "win32",
    stdio: "ignore",
  });
  if (status !== IN_USE) return;
  fail(
    isForProduction
      ? "The sources have changed: stop the service and start it first."
      : "A service uses the installed packages, and others are needed: stop it first.",
  );
}

async function install() {
  const begun = Date.now();
  console.log("Installing packages (a minute or two the first time) …");
  const ticker = setInterval(() => {
    console.log(`  … still installing, ${seconds(begun)}`);
  }, 10_000);
  const { command, parameters } = npm();
  const child = spawn(
    command,
    // No package needs its install script.
    [
      ...parameters,
      "ci",
      "--ignore-scripts",
      isForProduction ? "--omit=dev" : "--include=dev",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
    ],
    { cwd: root, env: npmEnvironment(), stdio: ["ignore", "pipe", "pipe"], shell: command.endsWith(".cmd") },
  );
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const stop = () => child.kill("SIGTERM");
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  /** @type {number | string} */
  const code = await new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (status, signal) => resolve(status ?? signal ?? "?"));
  });
  clearInterval(ticker);
  if (code !== 0) {
    console.error(output.trim());
    fail(`Installing the packages failed (${code}): is the npm registry reachable, and ${root} writable?`);
  }
  console.log(`Installed the packages in ${seconds(begun)}.`);
}

/** The installation replaces the Node in node_modules. */
function npm() {
  const cli = process.env.npm_execpath;
  const node = nodeOutside();
  if (cli !== undefined && /npm-cli\.c?js$/.test(cli) && node !== null)
    return { command: node, parameters: [cli] };
  return { command: process.platform === "win32" ? "npm.cmd" : "npm", parameters: [] };
}

function nodeOutside() {
  const name = process.platform === "win32" ? "node.exe" : "node";
  for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
    if (folder === "" || folder.includes(`${path.sep}node_modules${path.sep}`)) continue;
    const file = path.join(folder, name);
    if (fs.existsSync(file)) return file;
  }
  return process.execPath.startsWith(modules) ? null : process.execPath;
}

function npmEnvironment() {
  /** @type {NodeJS.ProcessEnv} */
  const environment = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ""}` };
  // npm would omit development packages.
  Reflect.deleteProperty(environment, "NODE_ENV");
  const cache = process.env.npm_config_cache ?? path.join(os.homedir(), ".npm");
  if (isOfOther(cache) || !isWritable(cache)) {
    environment.npm_config_cache = path.join(os.tmpdir(), `sluice-npm-cache-${os.userInfo().uid}`);
    environment.npm_config_logs_max = "0";
  }
  return environment;
}

/**
 * For root: with the home of another user, whose npm could not use root's files.
 * @param {string} folder
 */
function isOfOther(folder) {
  const options = { throwIfNoEntry: false };
  const found = fs.statSync(folder, options) ?? fs.statSync(path.dirname(folder), options);
  return process.getuid?.() === 0 && found !== undefined && found.uid !== 0;
}

/** @param {string} folder */
function isWritable(folder) {
  try {
    fs.mkdirSync(folder, { recursive: true });
    fs.accessSync(folder, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function takeLock() {
  const name = createHash("sha256").update(root).digest("hex").slice(0, 16);
  const lock = path.join(os.tmpdir(), `sluice-install-${name}`);
  for (let isTold = false; ;) {
    try {
      fs.mkdirSync(lock);
      fs.writeFileSync(path.join(lock, "pid"), String(process.pid));
      return lock;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    }
    if (isAbandoned(lock)) fs.rmSync(lock, { recursive: true, force: true });
    else if (!isTold) console.log("Waiting for another installation in this folder …");
    isTold = true;
    spawnSync(process.execPath, ["-e", "setTimeout(() => {}, 500)"]);
  }
}

/** @param {string} lock */
function isAbandoned(lock) {
  try {
    const age = Date.now() - fs.statSync(lock).mtimeMs;
    const pid = Number(
      fs.existsSync(path.join(lock, "pid")) && fs.readFileSync(path.join(lock, "pid"), "utf8"),
    );
    if (!pid) return age > 5_000;
    process.kill(pid, 0);
    return age > 30 * 60_000;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code !== "EPERM";
  }
}

function packagedNode() {
  return path.join(bin, process.platform === "win32" ? "node.cmd" : "node");
}

/** npm scripts prefer node_modules/.bin/node, so it is removed when it does not run here. */
function checkRuntime() {
  const packaged = packagedNode();
  const works =
    fs.existsSync(packaged) &&
    spawnSync(packaged, ["--version"], { shell: process.platform === "win32", stdio: "ignore" }).status === 0;
  if (works) return;
  fs.rmSync(packaged, { force: true });
  const own = nodeOutside() ?? process.execPath;
  const version = String(spawnSync(own, ["--version"]).stdout)
    .trim()
    .replace(/^v/, "");
  if (runsTypeScript(version)) return;
  fail(
    `There is no packaged Node 24 for ${process.platform} on ${process.arch}, and this machine's Node ${version} is too old to run Sluice: install Node 24 from nodejs.org.`,
  );
}

/**
 * @param {string} version
 * @param {[number, number]} minimum major and minor
 */
function isAtLeast(version, minimum) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > minimum[0] || (major === minimum[0] && minor >= minimum[1]);
}

/** @param {string} version */
function runsTypeScript(version) {
  return isAtLeast(version, [23, 6]) || (isAtLeast(version, [22, 18]) && !isAtLeast(version, [23, 0]));
}

/** @param {number} begun */
function seconds(begun) {
  return `${((Date.now() - begun) / 1000).toFixed(1)} s`;
}

/**
 * @param {string} sentence
 * @returns {never}
 */
function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
