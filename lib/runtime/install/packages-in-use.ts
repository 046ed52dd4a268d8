import { mkdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { shareKernelLock, takeKernelLock } from "#lib/runtime/lock/kernel-lock.ts";

/*
 * A running service holds the installed packages and its build. As a program, for `install.mjs`, whose Node.js has no
 * kernel locks: exits with 3 while they are held.
 */

const FOLDER = fileURLToPath(new URL("../../../node_modules/.sluice", import.meta.url));
const LOCK = path.join(FOLDER, "packages.kernel-lock");

/** Until this process ends. Where nothing can be written, as in an image, nothing can be installed either. */
export async function holdPackages(): Promise<void> {
  try {
    mkdirSync(FOLDER, { recursive: true });
    await shareKernelLock(LOCK);
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}

/** Not for a process that holds them: closing the file would release its lock. */
export function arePackagesInUse(): boolean {
  try {
    mkdirSync(FOLDER, { recursive: true });
    const lock = takeKernelLock(LOCK);
    if (typeof lock !== "string") lock.release();
    return lock === "held";
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return false;
  }
}

function isRefusal(error: unknown): boolean {
  return ["EACCES", "EPERM", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "");
}

if (process.argv[1] === fileURLToPath(import.meta.url) && arePackagesInUse()) process.exitCode = 3;
