import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { connectToMigrate } from "./connect.ts";
import { applyFunctions, type DatabaseFunctions, readFunctions } from "./functions.ts";

/*
 * Applies prisma/migrations and prisma/functions. Prisma's WebAssembly engine splits scripts at
 * semicolons inside function bodies, and the native engine is not on the npm registry. _prisma_migrations has the rows
 * that `prisma migrate deploy` writes, so both tools work on one database.
 */

const FOLDER = fileURLToPath(new URL("../../../prisma/migrations/", import.meta.url));

/** Also used by Prisma's migration command. */
export const MIGRATION_LOCK = 72707369;

export type Migration = { name: string; script: string; checksum: string };

export async function readMigrations(): Promise<Migration[]> {
  const entries = await readdir(FOLDER, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const script = await readFile(path.join(FOLDER, name, "migration.sql"), "utf8");
      return { name, script, checksum: createHash("sha256").update(script).digest("hex") };
    }),
  );
}

const LOCK_TIMEOUT_MS = 600_000;

/**
 * Applies missing migrations, each in one transaction with its row, then functions and triggers. Several
 * processes may call it at once. The transaction holds the lock: behind a transaction pooler a session lock
 * would outlive this process.
 * @param url a direct connection or a transaction pooler
 * @returns the names of the applied migrations
 * @throws OperatorError when the database cannot be reached, is unsuitable, newer than this version, or locked
 */
export async function migrate(url: string): Promise<string[]> {
  const migrations = await readMigrations();
  const functions = await readFunctions();
  const client = await connectToMigrate(url);
  try {
    await checkServer(client);
    const applied: string[] = [];
    for (;;) {
      const { name, isLast } = await applyNext(client, migrations, functions);
      if (name !== null) applied.push(name);
      if (isLast) return applied;
    }
  } finally {
    await client.end();
  }
}

async function checkServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{
    version: number;
    name: string;
    encoding: string;
    role: string;
    database: string;
    may_create: boolean;
  }>(
    `SELECT current_setting('server_version_num')::int AS version,
            current_setting('server_version') AS name,
            current_setting('server_encoding') AS encoding,
            current_user AS role, current_database() AS database,
            coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_create`,
  );
  const server = rows[0];
  if (server === undefined || server.version < 150000) {
    throw new OperatorError(
      `Sluice needs PostgreSQL 15 or newer, and this server is ${server?.name ?? "older"}.`,
    );
  }
  if (server.encoding !== "UTF8") {
    throw new OperatorError(
      `The database is encoded in ${server.encoding}; Sluice needs one created with ENCODING 'UTF8'.`,
    );
  }
  if (!server.may_create) {
    const { role, database } = server;
    throw new OperatorError(
      `The role ${role} may not create tables in the database ${database}: make it the owner (ALTER DATABASE ${database} OWNER TO ${role}).`,
    );
  }
}

/** Applies the oldest missing migration; after the last one also functions and settings. */
async function applyNext(
  client: pg.Client,
  migrations: Migration[],
  functions: DatabaseFunctions,
): Promise<{ name: string | null; isLast: boolean }> {
  await client.query("BEGIN");
  try {
    await lockMigrations(client);
    const [next, ...others] = await missingMigrations(client, migrations);
    if (next !== undefined) await applyMigration(client, next);
    const isLast = others.length === 0;
    if (isLast) {
      await applyFunctions(client, functions);
      await preferSettings(client);
    }
    await client.query("COMMIT");
    return { name: next?.name ?? null, isLast };
  } catch (error) {
    // Also fails on a broken connection.
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/**
 * Waits up to ten minutes for the migration lock, which the transaction then holds until it ends.
 *
 * @throws OperatorError when another process holds it for longer
 */
export async function lockMigrations(client: pg.Client): Promise<void> {
  // A provider's statement_timeout would end long index builds.
  await client.query(`SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
  } catch (error) {
    const isLate = (error as pg.DatabaseError).code === "55P03";
    if (!isLate) throw error;
    throw new OperatorError(
      "Another process has held the migration lock for ten minutes: end that process or its connection, then start again.",
    );
  }
  await client.query("SET LOCAL lock_timeout = 0");
}

/** Creates the table of applied migrations when it is missing. */
export async function missingMigrations(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  await client.query(`
    CREATE TABLE IF NOT EXISTS _prisma_migrations (
      id                  VARCHAR(36) PRIMARY KEY NOT NULL,
      checksum            VARCHAR(64) NOT NULL,
      finished_at         TIMESTAMPTZ,
      migration_name      VARCHAR(255) NOT NULL,
      logs                TEXT,
      rolled_back_at      TIMESTAMPTZ,
      started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
      applied_steps_count INTEGER NOT NULL DEFAULT 0
    )`);
  const { rows } = await client.query<{ name: string; finished: boolean; checksum: string }>(
    `SELECT migration_name AS name, finished_at IS NOT NULL AS finished, checksum
       FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`,
  );
  const failed = rows.find((row) => !row.finished);
  if (failed !== undefined) {
    throw new OperatorError(
      `The migration ${failed.name} was started by another tool and not finished: see \`prisma migrate resolve\`.`,
    );
  }
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of rows) {
    const migration = known.get(row.name);
    if (migration === undefined) {
      throw new OperatorError(
        `The database has the migration ${row.name}, which this Sluice does not have: start the version that made it.`,
      );
    }
    if (migration.checksum !== row.checksum) {
      throw new OperatorError(
        `The migration ${row.name} was changed after it had been applied: add a new one instead.`,
      );
    }
  }
  const applied = new Set(rows.map((row) => row.name));
  return migrations.filter((migration) => !applied.has(migration.name));
}

/**
 * Runs a script and records it, in the transaction of the caller.
 *
 * @throws Error that names the migration; the caller rolls back
 */
export async function applyMigration(client: pg.Client, migration: Migration): Promise<void> {
  try {
    // Without parameters pg sends the script as one message.
    await client.query(migration.script);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), migration.checksum, migration.name],
    );
  } catch (error) {
    throw new Error(`Migration ${migration.name} failed and was undone: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/**
 * For an operator's own database; the built-in one gets `serverSettings`. The defaults are for rotating
 * disks and long queries.
 */
const PREFERRED: Readonly<Record<string, string>> = { random_page_cost: "1.1", jit: "off" };

/**
 * Sets defaults of this database unless a configuration file, provider or role has set them. Needs a role
 * that owns the database.
 * @returns the names of the changed settings
 */
export async function preferSettings(
  client: pg.Client,
  preferred: Readonly<Record<string, string>> = PREFERRED,
): Promise<string[]> {
  const { rows } = await client.query<{ name: string; database: string }>(
    `SELECT s.name, quote_ident(d.datname) AS database FROM pg_settings s, pg_database d
      WHERE s.name = ANY ($1) AND s.source = 'default'
        AND d.datname = current_database() AND pg_has_role(d.datdba, 'USAGE')
      ORDER BY s.name`,
    [Object.keys(preferred)],
  );
  for (const { name, database } of rows) {
    await client.query(`ALTER DATABASE ${database} SET ${name} = '${preferred[name] ?? ""}'`);
  }
  return rows.map(({ name }) => name);
}
