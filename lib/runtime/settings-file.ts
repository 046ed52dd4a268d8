import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { OperatorError } from "./operator-error.ts";

/**
 * Reads lines such as PORT=8080; what is in the environment already wins. Not `process.loadEnvFile`: behind the
 * byte-order mark that some editors write it passes the first variable over without a word.
 * @throws OperatorError when the file cannot be read
 */
export function readSettingsFile(file: string, environment: NodeJS.ProcessEnv): void {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new OperatorError(`The settings in ${file} cannot be read (${(error as Error).message}).`);
  }
  for (const [name, value] of Object.entries(parseEnv(text.replace(/^\ufeff/, ""))))
    environment[name] ??= value;
}
