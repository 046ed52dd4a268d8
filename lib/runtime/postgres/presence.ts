import { execFileSync } from "node:child_process";
import { closeSync, constants, lstatSync, openSync, rmSync, statSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive, waitForEnd } from "#lib/runtime/processes.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";

/*
 * A named pipe that every process of the database server keeps open. The kernel knows whether a pipe has readers,
 * also in containers whose process ids are invisible here, so it proves that a server has ended.
 */

/** Longest wait for a server that is stopping in another container. */
const END_LIMIT_MS = 10_000;

/** Opens the pipe. @returns a descriptor for the server to inherit; null where pipes cannot be made */
export function openPresence(file: string): number | null {
  try {
    if (!isPipe(file)) {
      rmSync(file, { force: true });
      execFileSync("mkfifo", ["-m", "600", file], { stdio: "ignore" });
    }
    return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
}

export function presenceOf(file: string): "alive" | "gone" | "unknown" {
  if (!isPipe(file)) return "unknown";
  try {
    closeSync(openSync(file, constants.O_WRONLY | constants.O_NONBLOCK));
    return "alive";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENXIO" ? "gone" : "unknown";
  }
}

const isPipe = (file: string) => lstatSync(file, { throwIfNoEntry: false })?.isFIFO() ?? false;

/**
 * Stops a server of this folder whose parent was killed. The caller holds the data folder.
 * @param file the server's named pipe
 * @throws OperatorError when the server does not stop
 */
export async function clearLeftovers(dataFolder: string, file: string): Promise<void> {
  const pidFile = path.join(dataFolder, "postmaster.pid");
  const pid = Number.parseInt(await readFile(pidFile, "utf8").catch(() => ""), 10);
  if (pid > 0 && isAlive(pid) && serves(pid, dataFolder)) await endServer(pid);
  for (const end = Date.now() + END_LIMIT_MS; presenceOf(file) === "alive"; await sleep(50)) {
    if (Date.now() < end) continue;
    throw new OperatorError(
      `A PostgreSQL server still uses ${dataFolder}, and it does not stop or is not visible from here: stop it, or the container or machine that runs it.`,
    );
  }
  // PostgreSQL would refuse a stale file whose id another process has now. Without a pipe, PostgreSQL decides.
  if (presenceOf(file) === "gone") await rm(pidFile, { force: true });
}

/** Whether the process is the server of this folder. Another process may have the same id, also in another container. */
function serves(pid: number, dataFolder: string): boolean {
  try {
    const works = statSync(`/proc/${pid}/cwd`);
    const wanted = statSync(dataFolder);
    return works.dev === wanted.dev && works.ino === wanted.ino;
  } catch {
    return process.platform !== "linux";
  }
}

/** Stops a server: fast shutdown, then immediate shutdown, then a kill, from which the write-ahead log recovers. */
export async function endServer(pid: number): Promise<void> {
  const steps = [
    ["SIGINT", 20_000],
    ["SIGQUIT", 10_000],
    ["SIGKILL", 5_000],
  ] as const;
  for (const [signal, limitMs] of steps) {
    try {
      process.kill(pid, signal);
      // A suspended server handles signals only after SIGCONT.
      process.kill(pid, "SIGCONT");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ESRCH") return;
      throw new OperatorError(
        `A PostgreSQL of another user (process ${pid}) still runs on this data folder: stop it as that user first.`,
      );
    }
    if (await waitForEnd(pid, limitMs)) return;
  }
}
