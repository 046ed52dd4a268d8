import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { OperatorError } from "./terminal.ts";

/** @throws OperatorError when it cannot be created */
export function makeDataDir(dataDir: string): void {
  try {
    // For root, the account of the database needs access; secrets have their own modes.
    mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  } catch (error) {
    throw new OperatorError(
      `DATA_DIR ${dataDir} cannot be created (${(error as Error).message}): choose another folder.`,
    );
  }
}

/**
 * Reads a secret from a file, or creates the file, readable by its owner only.
 * @param minLength; a created secret has 43 characters
 * @throws OperatorError when the file is unreadable or too short, as after a crash
 */
export function keptSecret(file: string, minLength = 32): string {
  for (;;) {
    try {
      const secret = readFileSync(file, "utf8").trim();
      if (secret.length >= minLength) return secret;
      throw new OperatorError(
        `${file} holds no secret of ${minLength} characters or more: put back a copy, or remove the file to create a new secret.`,
      );
    } catch (error) {
      if (error instanceof OperatorError) throw error;
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
        throw new OperatorError(`${file} cannot be read: start Sluice as the user who started it before.`);
      }
    }
    storeSecret(file, randomBytes(32).toString("base64url"));
  }
}

/** Creates a file readable by its owner only; leaves an existing one alone. */
function storeSecret(file: string, secret: string): void {
  const tempPath = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}`);
  try {
    writeFileSync(tempPath, `${secret}\n`, { mode: 0o600, flush: true });
    // A link, unlike a rename, does not replace another process's file.
    linkSync(tempPath, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(tempPath, { force: true });
  }
}
