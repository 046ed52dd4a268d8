import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chown, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { minimalEnvironment } from "#lib/base/env.ts";
import { commandLine } from "#lib/runtime/release/release.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { type Place, programOf } from "./place.ts";

export const SUPERUSER = "sluice";
export const DATABASE = "sluice";

/** Environment of the server, without variables that change language or paths. */
export const serverEnvironment = (): NodeJS.ProcessEnv => ({ ...minimalEnvironment(), LC_ALL: "C" });

/**
 * Creates a missing cluster under another name and renames it when complete.
 * @param durable false only in tests
 * @throws OperatorError also for a cluster of another version
 */
export async function ensureCluster(place: Place, durable: boolean): Promise<void> {
  const versionFile = path.join(place.data, "PG_VERSION");
  if (!existsSync(versionFile)) await initialise(place, durable);
  const version = (await readFile(versionFile, "utf8")).trim();
  const [major = ""] = place.binaries.version.split(".");
  if (version === major) return;
  throw new OperatorError(
    `The data in ${place.data} was written by PostgreSQL ${version}, and this Sluice includes ${major}. Start the Sluice that you used before, run \`${commandLine("backup FILE")}\`, stop it, move ${place.data} away, and run \`${commandLine("restore FILE")}\` with this one.`,
  );
}

async function initialise({ account, binaries, data, password }: Place, durable: boolean): Promise<void> {
  const unfinished = `${data}.new`;
  const passwordFile = `${unfinished}.password`;
  // An interrupted first start may have left it.
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account !== null)
    for (const file of [unfinished, passwordFile]) await chown(file, account.uid, account.gid);
  try {
    const { status, signal, stderr, error } = spawnSync(
      programOf(binaries, "initdb"),
      [
        `--pgdata=${unfinished}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${passwordFile}`,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        // Compares bytes, which is fast and the same with every C library.
        "--locale=C",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        ...(durable ? [] : ["--no-sync"]),
      ],
      { ...account, cwd: path.dirname(data), env: serverEnvironment(), encoding: "utf8" },
    );
    if (error !== undefined) throw error;
    if (status !== 0) throw explain(stderr, `initdb ended with ${status ?? signal}`);
    await rename(unfinished, data);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if ((error as NodeJS.ErrnoException).code !== "ENOTEMPTY") throw error;
    throw new OperatorError(`${data} holds files but no PostgreSQL data: move them away, or set DATA_DIR.`);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

export function explain(complaint: string, otherwise: string): Error {
  // A short write has no error code of the system.
  if (/No space left on device|wrote only \d+ of \d+ bytes/i.test(complaint)) {
    return new OperatorError("The disk is full: the database cannot start until there is room.");
  }
  const lines = complaint.split("\n").filter((line) => /FATAL|PANIC|error|could not/i.test(line));
  return new OperatorError(`${otherwise}${lines.length > 0 ? `: ${lines.slice(-2).join(" ").trim()}` : ""}.`);
}
