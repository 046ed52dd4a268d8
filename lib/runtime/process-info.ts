import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * Whether a process runs under this id. A zombie counts as gone: its parent has merely not collected it yet.
 * @param pid process id, positive
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return statFields(pid)?.[0] !== "Z";
}

/**
 * An opaque mark that two processes under the same id never share, so that a process id that was given out
 * again is not mistaken for the process that wrote it down.
 * @returns null when the process does not exist or the system does not tell
 */
export function startMark(pid: number): string | null {
  const fields = statFields(pid);
  // Field 22 of proc_pid_stat(5), the start in clock ticks since boot, is number 19 after the state.
  if (fields !== null) return `${bootId()}:${fields[19] ?? ""}`;
  return ps(pid, "lstart=");
}

/**
 * The command line of a process.
 * @returns null when the process does not exist or the system does not tell
 */
export function commandLine(pid: number): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean);
  } catch {
    return ps(pid, "command=")?.split(" ") ?? null;
  }
}

/**
 * Waits until a process is gone.
 * @param limit milliseconds
 * @returns whether it went in time
 */
export async function waitForEnd(pid: number, limit: number): Promise<boolean> {
  const end = Date.now() + limit;
  while (isAlive(pid)) {
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return true;
}

function statFields(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses and may hold spaces and parentheses itself.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}

function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}

function ps(pid: number, column: string): string | null {
  try {
    const output = execFileSync("ps", ["-o", column, "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return output.trim() || null;
  } catch {
    return null;
  }
}
