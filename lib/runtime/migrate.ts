import { createHash, randomUUID } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { OperatorError } from "./operator-error.ts";
import { preferSettings } from "./planner-settings.ts";

/*
 * Migrations are applied here and not by @prisma/schema-engine-wasm: through @prisma/adapter-pg it cuts each
 * script at every semicolon, those inside function bodies too, so that no plpgsql function survives it. The
 * native engine cannot be had where only the npm registry is reachable. The rows in _prisma_migrations are
 * the ones `prisma migrate deploy` writes, so that it finds nothing to do afterwards, and the other way round.
 */

const FOLDER = fileURLToPath(new URL("../../prisma/migrations/", import.meta.url));

/** The advisory lock that Prisma's own migration command takes, so that the two never run at once. */
const LOCK = 72707369;

export type Migration = { name: string; script: string; checksum: string };

/** All migrations of this version of Sluice, oldest first. */
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

/**
 * Two scripts stood changed on the main branch for some hours, with a third folded into one of them. Whoever installed
 * then has these checksums, and after the third script the same database as everybody.
 */
const ALSO_APPLIED: Record<string, string> = {
  "20261122042000_settle_by_post": "e593582fdf92aed03d5c51d8f4de496b01a014643ee6592fc925da68b4b232fa",
  "20261122042500_random_draw": "681200b7ed702b236fc262e0a0c7387b9081fcf2910923c3e904cd9d7c56164a",
};

/** How long another process may take over a step before we give up, in milliseconds. */
const PATIENCE = 600_000;

/**
 * Brings a database to the state this version needs. Any number of processes may call it at once. Each
 * migration is one transaction together with its row, so a crash in the middle leaves nothing half done.
 *
 * A transaction holds the lock as well, not the session: behind a transaction pooler a session's lock would stay with
 * the pooler's own connection when we are long gone, and keep the next start waiting for ever.
 * @param url a direct connection or one through a transaction pooler
 * @returns the names of what was applied
 * @throws OperatorError when the server is too old, not UTF8, lets us make no tables, the database is newer than
 *   this version, or another process keeps it locked
 */
export async function migrate(url: string): Promise<string[]> {
  const migrations = await readMigrations();
  const client = new pg.Client({ connectionString: url, application_name: "sluice-migrate" });
  try {
    await client.connect();
  } catch (error) {
    throw new OperatorError(
      `The database cannot be reached (${(error as Error).message}): check DATABASE_URL.`,
    );
  }
  try {
    await checkServer(client);
    const applied: string[] = [];
    for (;;) {
      const name = await applyNext(client, migrations);
      if (name === null) return applied;
      applied.push(name);
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
      `The database is encoded in ${server.encoding}; Sluice needs one made with ENCODING 'UTF8'.`,
    );
  }
  if (!server.may_create) {
    const { role, database } = server;
    throw new OperatorError(
      `The role ${role} may not make tables in the database ${database}: make it the owner (ALTER DATABASE ${database} OWNER TO ${role}).`,
    );
  }
}

/** Applies the oldest migration that is missing, alone; null when none is, and the database is as it should be. */
async function applyNext(client: pg.Client, migrations: Migration[]): Promise<string | null> {
  await client.query("BEGIN");
  try {
    await lock(client);
    const [next] = await missingMigrations(client, migrations);
    if (next === undefined) await preferSettings(client);
    else await apply(client, next);
    await client.query("COMMIT");
    return next?.name ?? null;
  } catch (error) {
    // On a connection that broke it fails too, and there is nothing left to undo.
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** Waits until this transaction is the only one that migrates. */
async function lock(client: pg.Client): Promise<void> {
  // A provider's limit on statements is meant for requests; an index on a large table takes longer.
  await client.query(`SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${PATIENCE}`);
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
  } catch (error) {
    const isLate = (error as pg.DatabaseError).code === "55P03";
    if (!isLate) throw error;
    throw new OperatorError(
      "Another process has kept this database locked for ten minutes, to migrate it: end it, or its connection, and start again.",
    );
  }
  await client.query("SET LOCAL lock_timeout = 0");
}

/** @returns what this version has and the database has not, oldest first */
async function missingMigrations(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  // As Prisma makes it.
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
      `The migration ${failed.name} was begun by another tool and not finished: see \`prisma migrate resolve\`.`,
    );
  }
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of rows) {
    const migration = known.get(row.name);
    if (migration === undefined) {
      throw new OperatorError(
        `The database is newer than this Sluice (it has the migration ${row.name}): start the newer version.`,
      );
    }
    if (![migration.checksum, ALSO_APPLIED[row.name]].includes(row.checksum)) {
      throw new OperatorError(
        `The migration ${row.name} was changed after it had been applied: add a new one instead.`,
      );
    }
  }
  const applied = new Set(rows.map((row) => row.name));
  return migrations.filter((migration) => !applied.has(migration.name));
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    // Without parameters the whole script goes in one message, function bodies and all.
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
