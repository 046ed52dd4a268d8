import { existsSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Client } from "pg";
import type { Env } from "#lib/env.ts";
import { commandLine } from "#lib/runtime/release/release.ts";
import { SECRETS } from "./files.ts";
import { connectToMigrate } from "./postgres/connect.ts";
import { OperatorError } from "./terminal.ts";

type Secrets = Pick<Env, "AUTH_SECRET" | "ENCRYPTION_KEY">;

/** Exists while the first start creates secrets and database, so that an interrupted one can be repeated. */
const MARKER = "first-start";

/** Files of a complete data folder of the built-in database. */
const WHAT = {
  "postgres.password": "the password of the database",
  "auth-secret": "it signs sessions; or set AUTH_SECRET",
  "encryption-key": "it encrypts tokens of other servers; or set ENCRYPTION_KEY",
} as const satisfies Record<(typeof SECRETS)[number], string>;

/**
 * Checks that a data folder has secrets and database, or neither. A folder with neither is marked as new.
 * The caller holds the folder.
 * @throws OperatorError that names what is missing
 */
export function checkDataFolder(
  dataDir: string,
  settings: Pick<Env, "AUTH_SECRET" | "ENCRYPTION_KEY">,
): void {
  const has = (name: string) => existsSync(path.join(dataDir, name));
  if (has(MARKER)) return;
  const needed = SECRETS.filter((name) => !isGiven(name, settings));
  if (has("postgres/PG_VERSION")) {
    const missing = needed.filter((name) => !has(name)).map((name) => `${name} (${WHAT[name]})`);
    if (missing.length === 0) return;
    throw new OperatorError(
      `${dataDir} has a database, but not ${missing.join(" and ")}: put the missing files back from a backup.`,
    );
  }
  const found = SECRETS.filter(has);
  if (found.length > 0) {
    throw new OperatorError(
      `${dataDir} has ${found.join(", ")}, but no database (the folder postgres): put it back from a backup (${commandLine("restore FILE")}), or set DATABASE_URL if you use a PostgreSQL of your own. To begin with an empty database, move these files away.`,
    );
  }
  writeFileSync(path.join(dataDir, MARKER), "", { mode: 0o600, flush: true });
}

/**
 * Checks that an operator's own database is not empty beside secrets. `settleEncryptionKey` checks the reverse.
 * @param directUrl of a database that is not migrated yet
 * @throws OperatorError that names what is missing
 */
export async function checkOwnDatabase(directUrl: string, dataDir: string, settings: Secrets): Promise<void> {
  const has = (name: string) => existsSync(path.join(dataDir, name));
  const found = SECRETS.filter(
    (name) => name !== "postgres.password" && !isGiven(name, settings) && has(name),
  );
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

function isGiven(name: (typeof SECRETS)[number], settings: Secrets): boolean {
  if (name === "auth-secret") return settings.AUTH_SECRET !== undefined;
  return name === "encryption-key" && settings.ENCRYPTION_KEY !== undefined;
}

/** Call it when secrets and migrated database exist. */
export function endFirstStart(dataDir: string): void {
  rmSync(path.join(dataDir, MARKER), { force: true });
}
