import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Zombies count as ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return statFields(pid)?.[0] !== "Z";
}

export function commandLine(pid: number): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean);
  } catch {
    return ps(pid, "command=")?.split(" ") ?? null;
  }
}

/**
 * @param limitMs time to wait
 * @returns whether the process ended in time
 */
export async function waitForEnd(pid: number, limitMs: number): Promise<boolean> {
  const end = Date.now() + limitMs;
  while (isAlive(pid)) {
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return true;
}

function statFields(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field, in parentheses, may contain spaces.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
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
