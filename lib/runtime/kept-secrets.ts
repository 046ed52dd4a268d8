import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { OperatorError } from "./operator-error.ts";

/**
 * A secret that is made once and kept in a file only its owner can read.
 * @param file absolute path in an existing folder
 * @returns at least 32 characters
 * @throws OperatorError when the file is there but cannot be read
 */
export function keptSecret(file: string): string {
  for (;;) {
    try {
      return readFileSync(file, "utf8").trim();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
        throw new OperatorError(`${file} cannot be read: start Sluice as the user who started it before.`);
      }
    }
    const half = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}`);
    writeFileSync(half, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 });
    try {
      // Never over one that another process made at the same moment.
      linkSync(half, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      rmSync(half, { force: true });
    }
  }
}
