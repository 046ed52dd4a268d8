import { existsSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Client } from "pg";
import type { Env } from "#lib/base/env.ts";
import { connectToMigrate } from "#lib/runtime/postgres/connect.ts";
import { commandLine } from "#lib/runtime/release/release.ts";
import { SECRETS } from "./files.ts";
import { OperatorError } from "./terminal.ts";

type Secrets = Pick<Env, "AUTH_SECRET" | "ENCRYPTION_KEY">;

/** Exists while the first start creates secrets and database, so that an interrupted one can be repeated. */
const MARKER = "first-start";

/**
 * Checks that secrets of a data folder have their database. A folder with neither is marked as new; a database without
 * its keys gets new ones. The caller holds the folder.
 * @throws OperatorError when there are secrets only
 */
export function checkDataFolder(dataDir: string): void {
  const has = (name: string) => existsSync(path.join(dataDir, name));
  if (has(MARKER) || has("postgres/PG_VERSION")) return;
  const found = SECRETS.filter(has);
  if (found.length > 0) {
    throw new OperatorError(
      `${dataDir} has ${found.join(", ")}, but no database (the folder postgres): put it back from a backup (${commandLine("restore FILE")}), or set DATABASE_URL if you use a PostgreSQL of your own. To begin with an empty database, move these files away.`,
    );
  }
  writeFileSync(path.join(dataDir, MARKER), "", { mode: 0o600, flush: true });
}

/**
 * Checks that an operator's own database is not empty beside secrets.
 * @param directUrl of a database that is not migrated yet
 * @throws OperatorError that names the secrets
 */
export async function checkOwnDatabase(directUrl: string, dataDir: string, settings: Secrets): Promise<void> {
  const given = { "auth-secret": settings.AUTH_SECRET, "encryption-key": settings.ENCRYPTION_KEY };
  const found = Object.entries(given)
    .filter(([name, value]) => value === undefined && existsSync(path.join(dataDir, name)))
    .map(([name]) => name);
  if (found.length === 0) return;
  const client = await connectToMigrate(directUrl);
  try {
    if (await exists(client, "_prisma_migrations")) return;
    throw new OperatorError(
      `${dataDir} has ${found.join(" and ")}, but the database of DATABASE_URL is empty: check DATABASE_URL, or restore a backup (${commandLine("restore FILE")}). To begin with an empty database, move these files away.`,
    );
  } finally {
    await client.end();
  }
}

async function exists(client: Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>("SELECT to_regclass($1) IS NOT NULL AS found", [
    table,
  ]);
  return rows[0]?.found ?? false;
}

/** Call it when secrets and migrated database exist. */
export function endFirstStart(dataDir: string): void {
  rmSync(path.join(dataDir, MARKER), { force: true });
}
