import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { OperatorError } from "./terminal.ts";

/** Fewest characters of a secret. A created one has 43. */
const MIN_LENGTH = 32;

/** Creates the data folder. @throws OperatorError when it cannot be created */
export function makeDataDir(dataDir: string): void {
  try {
    // If root runs Sluice, the account of the database must reach the folder. Secrets have their own modes.
    mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  } catch (error) {
    throw new OperatorError(
      `DATA_DIR ${dataDir} cannot be created (${(error as Error).message}): choose another folder.`,
    );
  }
}

/**
 * Reads a secret from a file, or creates the file, readable by its owner only.
 * @throws OperatorError when the file is unreadable or too short, as after a crash
 */
export function keptSecret(file: string): string {
  try {
    const secret = `${randomBytes(32).toString("base64url")}\n`;
    writeFileSync(file, secret, { flag: "wx", mode: 0o600, flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  let secret: string;
  try {
    secret = readFileSync(file, "utf8").trim();
  } catch {
    throw new OperatorError(`${file} cannot be read: start Sluice as the user who started it before.`);
  }
  if (secret.length >= MIN_LENGTH) return secret;
  throw new OperatorError(
    `${file} holds no secret of ${MIN_LENGTH} characters or more: put back a copy, or remove the file to create a new secret.`,
  );
}
