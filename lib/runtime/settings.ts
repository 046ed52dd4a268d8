import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseEnv } from "node:util";
import { env, type Env, variableNames } from "#lib/base/env.ts";
import { INSTALLATION, isRelease, PROGRAM } from "#lib/runtime/release/release.ts";
import { keptSecret, makeDataDir } from "./files.ts";
import { explainEnd, OperatorError, say } from "./terminal.ts";

/**
 * Reads .env and the settings; ends the process when they are invalid. Modules that read settings, such as
 * the log, must be imported later. ENV_FILE names another file; empty means none.
 */
export function loadSettings(): Env {
  const file = process.env.ENV_FILE ?? path.join(INSTALLATION, ".env");
  try {
    if (file !== "" && existsSync(file))
      for (const warning of readSettingsFile(path.resolve(file), process.env)) say(warning);
    return env();
  } catch (error) {
    explainEnd(error);
    process.exit(1);
  }
}

/** Variables of Node.js, the system, libpq and Docker Compose, which .env may also contain. */
const OTHER_NAMES =
  /^(NODE_|NEXT_|NPM_|npm_|PG|COMPOSE_|DOCKER_|LC_|UV_|SSL_CERT_|TZ$|LANG$|PATH$|ENV_FILE$|(HTTPS?|NO|ALL)_PROXY$)/i;

/**
 * Reads a file of settings. Existing variables take precedence. Does not use `process.loadEnvFile`, which ignores the first
 * variable after a byte-order mark.
 *
 * @returns a warning for each name that no setting has
 * @throws OperatorError when the file cannot be read
 */
export function readSettingsFile(file: string, environment: NodeJS.ProcessEnv): string[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new OperatorError(`The settings in ${file} cannot be read (${(error as Error).message}).`);
  }
  const variables = Object.entries(parseEnv(text.replace(/^\ufeff/, "")));
  for (const [name, value] of variables) environment[name] ??= value;
  return variables
    .filter(([name]) => !variableNames.includes(name) && !OTHER_NAMES.test(name))
    .map(([name]) => `There is no setting ${name}, which is in ${file}.`);
}

/** Absolute path of DATA_DIR, relative to the folder of the installation. Creates a missing folder. */
export function openDataDir(settings: Env): string {
  const dataDir = path.resolve(INSTALLATION, settings.DATA_DIR);
  makeDataDir(dataDir);
  return dataDir;
}

/** Folder of nightly backups; undefined without them. */
export function backupDirOf(settings: Env, dataDir: string): string | undefined {
  if (settings.BACKUP_KEEP === 0) return undefined;
  if (settings.BACKUP_DIR !== undefined) return path.resolve(INSTALLATION, settings.BACKUP_DIR);
  return settings.DATABASE_URL === undefined ? path.join(dataDir, "backups") : undefined;
}

/** Environment of web server, worker and commands, with all defaults. Creates missing secrets. */
export function childEnvironment(
  settings: Env,
  where: { dataDir: string; url: string; port: number; publicUrl: string },
): NodeJS.ProcessEnv {
  const { dataDir } = where;
  return {
    ...process.env,
    DATABASE_URL: where.url,
    SLUICE_BUILT_IN_DATABASE: settings.DATABASE_URL === undefined ? "1" : undefined,
    DATA_DIR: dataDir,
    PORT: String(where.port),
    PUBLIC_URL: where.publicUrl,
    NEXTAUTH_URL: where.publicUrl,
    AUTH_SECRET: settings.AUTH_SECRET ?? keptSecret(path.join(dataDir, "auth-secret")),
    ENCRYPTION_KEY: settings.ENCRYPTION_KEY ?? keptSecret(path.join(dataDir, "encryption-key")),
    // Only migrations, the first account and backups need these.
    DIRECT_URL: undefined,
    BACKUP_DIR: undefined,
    ADMIN_EMAIL: undefined,
    ADMIN_PASSWORD: undefined,
    NEXT_TELEMETRY_DISABLED: "1",
    // Halves the processor time for loading the worker's modules. An archive is read-only.
    NODE_COMPILE_CACHE: isRelease
      ? undefined
      : path.join(PROGRAM, "node_modules", ".sluice", "compile-cache"),
    // Keeps Next from reading .env files.
    __NEXT_PROCESSED_ENV: "1",
  };
}
