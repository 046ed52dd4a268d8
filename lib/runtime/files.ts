import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { OperatorError } from "./terminal.ts";

/**
 * Makes a folder and those above it, as `mkdir -p`. Node's own never comes to an end, and listens to no signal
 * meanwhile, where a folder is there and answers "no such file" to what is made in it, as everything below /proc does.
 * @param folder absolute
 * @param mode of the folders it makes
 * @throws Error of the file system; ENOTDIR when something else has that name
 */
export function makeFolder(folder: string, mode: number): void {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at); at = path.dirname(at)) missing.push(at);
  for (const each of missing.reverse()) {
    try {
      mkdirSync(each, { mode });
    } catch (error) {
      // Somebody else made it in between.
      if (!isFolder(each)) throw error;
    }
  }
  if (!isFolder(folder)) throw Object.assign(new Error("it is not a folder"), { code: "ENOTDIR" });
}

function isFolder(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/**
 * A secret that is made once and kept in a file only its owner can read.
 * @param file absolute path in an existing folder
 * @param least characters it has to have; one that is made here has 43
 * @throws OperatorError when the file is there but cannot be read, or holds less: an empty one, as a crash of the
 * machine can leave, would count as no secret at all
 */
export function keptSecret(file: string, least = 32): string {
  for (;;) {
    try {
      const secret = readFileSync(file, "utf8").trim();
      if (secret.length >= least) return secret;
      throw new OperatorError(
        `${file} holds no secret of ${least} characters or more: put back a copy of it, or remove it, and a new one is made.`,
      );
    } catch (error) {
      if (error instanceof OperatorError) throw error;
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
        throw new OperatorError(`${file} cannot be read: start Sluice as the user who started it before.`);
      }
    }
    const half = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}`);
    try {
      writeFileSync(half, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flush: true });
      // Never over one that another process made at the same moment.
      linkSync(half, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      rmSync(half, { force: true });
    }
  }
}
