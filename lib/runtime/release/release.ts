import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/*
 * A release archive holds the built application with its packages, and nothing of it is written at run time
 * (docs/decisions/0043-release-archive.md).
 */

/** The folder of the program: a clone, or an unpacked archive. `new URL(…)` would be a file to include for the bundler. */
export const PROGRAM = path.resolve(fileURLToPath(import.meta.url), "../../../..");

/** In the folder of an unpacked archive. */
export const RELEASE_FILE = "release.json";

/** False in a clone, which installs its packages and builds. */
export const isRelease = existsSync(path.join(PROGRAM, RELEASE_FILE));

/** Relative paths of settings begin here. Beside an archive, because the next release is another folder beside it. */
export const INSTALLATION = isRelease ? path.resolve(PROGRAM, "..") : PROGRAM;

/**
 * How the operator runs a command here.
 *
 * @param words such as "backup FILE"
 */
export function commandLine(words: string): string {
  return isRelease ? `./sluice ${words}` : `npm run sluice -- ${words}`;
}
