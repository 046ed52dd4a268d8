import { execFileSync } from "node:child_process";
import { closeSync, constants, lstatSync, openSync, rmSync } from "node:fs";

/*
 * A named pipe that every process of the database server keeps open. The kernel knows whether a pipe has readers,
 * also in containers whose process ids are invisible here, so it proves that a server has ended.
 */

export type Presence = "alive" | "gone" | "unknown";

/** @returns a descriptor for the server to inherit; null where pipes cannot be made */
export function openPresence(file: string): number | null {
  if (process.platform === "win32") return null;
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

export function presenceOf(file: string): Presence {
  if (!isPipe(file)) return "unknown";
  try {
    closeSync(openSync(file, constants.O_WRONLY | constants.O_NONBLOCK));
    return "alive";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENXIO" ? "gone" : "unknown";
  }
}

function isPipe(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFIFO() ?? false;
}
