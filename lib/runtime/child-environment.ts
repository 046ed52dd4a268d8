import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Env } from "#lib/env.ts";
import { COMPILE_CACHE } from "./compile-cache.ts";
import { keptSecret } from "./kept-secrets.ts";

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
