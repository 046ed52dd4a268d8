import { readlinkSync, statSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { commandLine, isAlive, waitForEnd } from "#lib/runtime/processes.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { type Presence, presenceOf } from "./server-presence.ts";

/** Time for a server in another container that is stopping. */
const END_LIMIT_MS = 10_000;

/**
 * Stops a server of this folder whose parent was killed. Removes postmaster.pid once its writer is proven dead.
 * The caller holds the data folder.
 * @param presence the server's named pipe
 * @throws OperatorError when the server does not stop, or nothing proves that it has ended
 */
export async function clearLeftovers(dataFolder: string, presence: string): Promise<void> {
  const pidFile = path.join(dataFolder, "postmaster.pid");
  const pid = await readPid(pidFile);
  if (pid !== null && isAlive(pid) && serves(pid, dataFolder)) await stopServer(pid);
  const found = await waitUntilGone(presence);
  if (found === "alive") {
    throw new OperatorError(
      `A PostgreSQL server still uses ${dataFolder}, and it is not visible from here: stop the container or machine that runs it.`,
    );
  }
  if (pid === null) return;
  if (found === "unknown" && !seesAllProcesses()) {
    throw new OperatorError(
      `${pidFile} was left by a server that cannot be checked from inside this container: when nothing else uses this folder, remove the file and start again.`,
    );
  }
  // PostgreSQL keeps a stale file whose id another process has received since; the same for socket locks.
  await rm(pidFile, { force: true });
  for (const name of await readdir(dataFolder)) {
    if (name.startsWith(".s.PGSQL.")) await rm(path.join(dataFolder, name), { force: true });
  }
}

export async function readPid(pidFile: string): Promise<number | null> {
  const text = await readFile(pidFile, "utf8").catch(() => "");
  const pid = Number.parseInt(text.split("\n")[0] ?? "", 10);
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

async function waitUntilGone(file: string): Promise<Presence> {
  for (const end = Date.now() + END_LIMIT_MS; ;) {
    const found = presenceOf(file);
    if (found !== "alive" || Date.now() > end) return found;
    await sleep(50);
  }
}

function serves(pid: number, dataFolder: string): boolean {
  const command = commandLine(pid);
  if (!path.basename(command?.[0] ?? "").startsWith("postgres")) return false;
  try {
    // Another container's server may have the same arguments.
    const works = statSync(`/proc/${pid}/cwd`);
    const wanted = statSync(dataFolder);
    return works.dev === wanted.dev && works.ino === wanted.ino;
  } catch {
    return command?.includes(dataFolder) ?? false;
  }
}

/** Whether process ids here are the kernel's, so that an absent process has ended. */
function seesAllProcesses(): boolean {
  if (process.platform !== "linux") return true;
  try {
    // The number of the first namespace is fixed (PROC_PID_INIT_INO).
    return readlinkSync("/proc/self/ns/pid") === "pid:[4026531836]";
  } catch {
    return false;
  }
}

async function stopServer(pid: number): Promise<void> {
  const steps: [NodeJS.Signals, number][] = [
    ["SIGINT", 20_000],
    ["SIGQUIT", 5_000],
    ["SIGKILL", 5_000],
  ];
  for (const [signal, patience] of steps) {
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
    if (await waitForEnd(pid, patience)) return;
  }
  throw new OperatorError(
    `A PostgreSQL server from an earlier start (process ${pid}) does not stop: stop it by hand and start again.`,
  );
}
