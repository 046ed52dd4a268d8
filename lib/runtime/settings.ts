import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { env, type Env } from "#lib/env.ts";
import { COMPILE_CACHE } from "./compile-cache.ts";
import { keptSecret } from "./files.ts";
import { explainEnd, OperatorError } from "./terminal.ts";

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

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Where DATA_DIR lies: relative to the project, from wherever it is started. */
export function dataDirOf(settings: Env): string {
  return path.resolve(ROOT, settings.DATA_DIR);
}

/**
 * The environment of web server, worker and commands: as this process's, with everything settled that was left
 * open. Makes the secrets that are kept in DATA_DIR.
 * @param where the database's address, and the port and address of the web server
 */
export function childEnvironment(
  settings: Env,
  where: { url: string; port: number; publicUrl: string },
): NodeJS.ProcessEnv {
  const dataDir = dataDirOf(settings);
  return {
    ...process.env,
    DATABASE_URL: where.url,
    DATA_DIR: dataDir,
    PORT: String(where.port),
    PUBLIC_URL: where.publicUrl,
    NEXTAUTH_URL: where.publicUrl,
    AUTH_SECRET: settings.AUTH_SECRET ?? keptSecret(path.join(dataDir, "auth-secret")),
    ENCRYPTION_KEY: settings.ENCRYPTION_KEY ?? keptSecret(path.join(dataDir, "encryption-key")),
    NEXT_TELEMETRY_DISABLED: "1",
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    // Next would read .env files of its own; what counts was settled here.
    __NEXT_PROCESSED_ENV: "1",
  };
}
