import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { commandLine } from "#lib/runtime/release/release.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { type Place, programOf } from "./place.ts";

export const SUPERUSER = "sluice";

/**
 * Creates a missing cluster under another name and renames it when complete.
 * @param durable false only in tests
 * @throws OperatorError also for a cluster of another version
 */
export async function ensureCluster(place: Place, durable: boolean): Promise<void> {
  if (!existsSync(path.join(place.data, "PG_VERSION"))) await initialise(place, durable);
  await checkVersion(place);
}

async function initialise(place: Place, durable: boolean): Promise<void> {
  const parent = path.dirname(place.data);
  for (const name of await readdir(parent)) {
    // Left by an interrupted first start.
    if (name.startsWith("postgres.new-")) await rm(path.join(parent, name), { recursive: true, force: true });
  }
  if (existsSync(place.data) && (await readdir(place.data)).length > 0) {
    throw new OperatorError(
      `${place.data} holds files but no PostgreSQL data: move them away, or set DATA_DIR.`,
    );
  }
  const tempFolder = path.join(parent, `postgres.new-${process.pid}`);
  const passwordFile = `${tempFolder}.password`;
  await mkdir(tempFolder, { mode: 0o700 });
  await writeFile(passwordFile, `${place.password}\n`, { mode: 0o600 });
  if (place.account !== null) {
    await chown(tempFolder, place.account.uid, place.account.gid);
    await chown(passwordFile, place.account.uid, place.account.gid);
  }
  try {
    run(place, programOf(place.binaries, "initdb"), [
      `--pgdata=${tempFolder}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      // Compares bytes: fast, and the same order with every C library.
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      ...(durable ? [] : ["--no-sync"]),
    ]);
    await rename(tempFolder, place.data);
  } catch (error) {
    await rm(tempFolder, { recursive: true, force: true });
    throw error;
  } finally {
    await rm(passwordFile, { force: true });
  }
}

function run(place: Place, command: string, parameters: string[]): void {
  const { status, signal, stderr, error } = spawnSync(command, parameters, {
    ...place.account,
    cwd: path.dirname(place.data),
    env: serverEnvironment(),
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw explain(stderr, `${path.basename(command)} ended with ${status ?? signal}`);
}

/** Without variables that change language or paths. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const kept: NodeJS.ProcessEnv = { LC_ALL: "C", PATH: process.env.PATH, NODE_ENV: process.env.NODE_ENV };
  if (process.env.TMPDIR !== undefined) kept.TMPDIR = process.env.TMPDIR;
  return kept;
}

async function checkVersion(place: Place): Promise<void> {
  const version = (await readFile(path.join(place.data, "PG_VERSION"), "utf8")).trim();
  if (version === place.binaries.major) return;
  throw new OperatorError(
    `The data in ${place.data} was written by PostgreSQL ${version}, and this Sluice includes ${place.binaries.major}. Start the Sluice that you used before, run \`${commandLine("backup FILE")}\`, stop it, move ${place.data} away, and run \`${commandLine("restore FILE")}\` with this one.`,
  );
}

export function explain(complaint: string, otherwise: string): Error {
  if (/No space left on device/i.test(complaint)) {
    return new OperatorError("The disk is full: the database cannot start until there is room.");
  }
  const lines = complaint.split("\n").filter((line) => /FATAL|PANIC|error|could not/i.test(line));
  return new OperatorError(`${otherwise}${lines.length > 0 ? `: ${lines.slice(-2).join(" ").trim()}` : ""}.`);
}
