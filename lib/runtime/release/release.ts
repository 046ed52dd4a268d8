import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/*
 * A release archive holds the built application with its packages, and nothing of it is written at run time
 * (docs/decisions/0043-release-archive.md).
 */

/** Folder of the program: a clone or an unpacked archive. Not by `new URL(…)`, which makes the bundler include a file. */
export const PROGRAM = path.resolve(fileURLToPath(import.meta.url), "../../../..");

/** File that every unpacked archive has. */
export const RELEASE_FILE = "release.json";

/** Whether it is an unpacked archive. A clone installs its packages and builds. */
export const isRelease = existsSync(path.join(PROGRAM, RELEASE_FILE));

/** Folder from which relative paths of settings begin. Outside the archive, because the next release has another folder. */
export const INSTALLATION = isRelease ? path.resolve(PROGRAM, "..") : PROGRAM;

/**
 * How the operator runs a command here.
 *
 * @param words such as "backup FILE"
 */
export function commandLine(words: string): string {
  return isRelease ? `./sluice ${words}` : `npm run sluice -- ${words}`;
}
