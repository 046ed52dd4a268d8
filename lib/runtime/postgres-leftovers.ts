import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "./operator-error.ts";
import { commandLine, isAlive, waitForEnd } from "./process-info.ts";

/**
 * Clears what a killed start left behind, so that PostgreSQL can start on this data folder again: a server
 * that outlived its parent is shut down cleanly, and a postmaster.pid that names nobody, or a process that
 * was given the same id since, is removed. No process is touched but a PostgreSQL of this very folder.
 * @param dataFolder absolute path of the PostgreSQL data
 * @throws OperatorError when such a server belongs to another user or does not stop
 */
export async function clearLeftovers(dataFolder: string): Promise<void> {
  const pidFile = path.join(dataFolder, "postmaster.pid");
  const pid = await readPid(pidFile);
  if (pid === null) return;
  if (isAlive(pid) && serves(pid, dataFolder)) await stopServer(pid);
  // Gone already after a clean shutdown. PostgreSQL would clear a stale one itself, but not where the
  // number belongs to some other process by now (after a reboot, or in a container).
  await rm(pidFile, { force: true });
}

/** The server's process id as postmaster.pid has it, null when there is none. */
export async function readPid(pidFile: string): Promise<number | null> {
  const text = await readFile(pidFile, "utf8").catch(() => "");
  const pid = Number.parseInt(text.split("\n")[0] ?? "", 10);
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

function serves(pid: number, dataFolder: string): boolean {
  const command = commandLine(pid);
  if (command === null) return false;
  return path.basename(command[0] ?? "").startsWith("postgres") && command.includes(dataFolder);
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
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ESRCH") return;
      throw new OperatorError(
        `A PostgreSQL of another user (process ${pid}) still runs on this data folder: stop it as that user first.`,
      );
    }
    if (await waitForEnd(pid, patience)) return;
  }
  throw new OperatorError(
    `The PostgreSQL that an earlier start left behind (process ${pid}) does not stop: stop it by hand and start again.`,
  );
}
