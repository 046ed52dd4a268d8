import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { connect } from "./connect.ts";

/*
 * Applies prisma/migrations and prisma/functions. Prisma's WebAssembly engine splits scripts at
 * semicolons inside function bodies, and the native engine is not on the npm registry. _prisma_migrations has the rows
 * that `prisma migrate deploy` writes, so both tools work on one database.
 */

const FOLDER = fileURLToPath(new URL("../../../prisma/migrations/", import.meta.url));
const FUNCTIONS = fileURLToPath(new URL("../../../prisma/functions/", import.meta.url));

const checksumOf = (script: string) => createHash("sha256").update(script).digest("hex");

/** Also used by Prisma's migration command. */
export const MIGRATION_LOCK = 72707369;

export type Migration = { name: string; script: string; checksum: string };

export async function readMigrations(): Promise<Migration[]> {
  const entries = await readdir(FOLDER, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const script = await readFile(path.join(FOLDER, name, "migration.sql"), "utf8");
      return { name, script, checksum: checksumOf(script) };
    }),
  );
}

const LOCK_TIMEOUT_MS = 600_000;

/**
 * Applies missing migrations, functions and triggers in one transaction. Several processes may call it at once. The
 * transaction holds the lock: behind a transaction pooler a session lock would outlive this process.
 * @param url a direct connection or a transaction pooler
 * @param onlyEmpty for commands, which leave an older database to the start of the service
 * @returns the names of the applied migrations
 * @throws OperatorError when the database cannot be reached, is unsuitable, newer than this version, or locked
 */
export async function migrate(url: string, { onlyEmpty = false } = {}): Promise<string[]> {
  const client = await connect(url, "sluice-migrate");
  try {
    await checkServer(client);
    await client.query("BEGIN");
    await lockMigrations(client);
    const migrations = await readMigrations();
    const missing = await missingMigrations(client, migrations);
    const { checksum } = await readFunctions();
    const isCurrent = missing.length === 0 && (await functionsOf(client)) === checksum;
    if (onlyEmpty && !isCurrent && missing.length < migrations.length)
      throw new OperatorError(
        "The database is older than this version: stop the service and start this version first.",
      );
    await apply(client, missing);
    if (!isCurrent) await applyFunctions(client);
    await client.query("COMMIT");
    return missing.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

async function checkServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{
    version: number;
    encoding: string;
    advice: string;
    may_create: boolean;
  }>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
            format('The role %1$s may not create tables in the database %2$s: make it the owner (ALTER DATABASE %2$s OWNER TO %1$s).',
                   current_user, current_database()) AS advice,
            coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_create`,
  );
  const { version = 0, encoding = "", advice, may_create } = rows[0] ?? {};
  if (version < 150000)
    throw new OperatorError(`Sluice needs PostgreSQL 15 or newer, and this server is ${version / 10_000}.`);
  if (encoding !== "UTF8")
    throw new OperatorError(
      `The database is encoded in ${encoding}; Sluice needs one created with ENCODING 'UTF8'.`,
    );
  if (!may_create) throw new OperatorError(advice);
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
async function missingMigrations(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
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
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
  );
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

/** Runs all migrations in the transaction of the caller, whose database is empty. */
export async function applyMigrations(client: pg.Client): Promise<void> {
  await apply(client, await missingMigrations(client, await readMigrations()));
}

/** @throws Error that names the migration */
async function apply(client: pg.Client, migrations: Migration[]): Promise<void> {
  for (const { name, script, checksum } of migrations) {
    try {
      // Without parameters pg sends the script as one message.
      await client.query(script);
    } catch (error) {
      throw new Error(`Migration ${name} failed and was undone: ${(error as Error).message}`, {
        cause: error,
      });
    }
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), checksum, name],
    );
  }
}

/** prisma/functions/*.sql in the order of their names, with a checksum of all. */
export async function readFunctions(): Promise<{ script: string; checksum: string }> {
  const names = (await readdir(FUNCTIONS)).filter((name) => name.endsWith(".sql")).sort();
  const scripts = await Promise.all(names.map((name) => readFile(path.join(FUNCTIONS, name), "utf8")));
  const script = scripts.join("\n");
  return { script, checksum: checksumOf(script) };
}

/** Checksum of those that were applied last. */
async function functionsOf(client: pg.Client): Promise<string | null | undefined> {
  const { rows } = await client.query<{ checksum: string | null }>(
    "SELECT functions_checksum AS checksum FROM installation",
  );
  return rows[0]?.checksum;
}

/**
 * Functions and triggers are defined once, with CREATE OR REPLACE, and applied after the migrations.
 * @param client in a transaction that holds the migration lock
 */
export async function applyFunctions(client: pg.Client): Promise<void> {
  const { script, checksum } = await readFunctions();
  // Functions may call functions of later files.
  await client.query("SET LOCAL check_function_bodies = off");
  await client.query(script);
  await client.query("UPDATE installation SET functions_checksum = $1", [checksum]);
}
