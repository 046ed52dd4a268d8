import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { env, type Env } from "#lib/env.ts";
import { answerToWords } from "./command-line.ts";
import { OperatorError } from "./operator-error.ts";
import { readSettingsFile } from "./settings-file.ts";
import { explainEnd, say } from "./terminal.ts";

/** Ends the process with a sentence when words follow a command that takes none. */
export function takeNoWords(): void {
  const answer = answerToWords(process.argv.slice(2));
  if (answer === null) return;
  if (answer.isHelp) say(answer.sentence);
  else explainEnd(new OperatorError(answer.sentence));
  process.exit(answer.isHelp ? 0 : 1);
}

/**
 * Reads .env, where there is one, and the settings; ends the process with a line for each that cannot be used.
 * To be called before any module that looks at a setting is loaded, the log among them. ENV_FILE names another
 * file, or none when it is empty: the tests must not meet what a developer keeps in .env.
 */
export function loadSettings(): Env {
  const file = process.env.ENV_FILE ?? fileURLToPath(new URL("../../.env", import.meta.url));
  try {
    if (file !== "" && existsSync(file)) readSettingsFile(path.resolve(file), process.env);
    return env();
  } catch (error) {
    explainEnd(error);
    process.exit(1);
  }
}
