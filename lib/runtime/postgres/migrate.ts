import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { PROGRAM } from "#lib/runtime/release/release.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { connect } from "./connect.ts";

/*
 * Applies prisma/migrations, each once, and prisma/functions, when they changed. Prisma's WebAssembly engine splits
 * scripts at semicolons inside function bodies, and the native engine is not on the npm registry.
 */

const FOLDER = path.join(PROGRAM, "prisma");

/** Name under which the table `schema_migration` has the checksum of the functions. */
const FUNCTIONS = "functions";

const LOCK = 72707369;

type Script = { name: string; sql: string; checksum: string };

const scriptOf = (name: string, sql: string): Script => ({
  name,
  sql,
  checksum: createHash("sha256").update(sql).digest("hex"),
});

export async function readMigrations(): Promise<Script[]> {
  const entries = await readdir(path.join(FOLDER, "migrations"), { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(
    names.sort().map(async (name) => scriptOf(name, await read("migrations", name, "migration.sql"))),
  );
}

/** Script of all functions and triggers, each defined with CREATE OR REPLACE. */
export async function readFunctions(): Promise<Script> {
  const names = (await readdir(path.join(FOLDER, "functions"))).filter((name) => name.endsWith(".sql"));
  const files = await Promise.all(names.sort().map((name) => read("functions", name)));
  return scriptOf(FUNCTIONS, files.join("\n"));
}

const read = (...names: string[]) => readFile(path.join(FOLDER, ...names), "utf8");

/**
 * Applies missing migrations, functions and triggers in one transaction. Several processes may call it at once. The
 * transaction holds the lock: behind a transaction pooler a session lock would outlive this process.
 * @param url a direct connection or a transaction pooler
 * @param onlyEmpty migrates only an empty database: commands leave an older one to the start of the service
 * @returns the names of the applied migrations
 * @throws OperatorError when the database cannot be reached, is unsuitable, or newer than this version
 */
export async function migrate(url: string, { onlyEmpty = false } = {}): Promise<string[]> {
  const client = await connect(url, "sluice-migrate");
  try {
    await checkServer(client);
    await client.query("BEGIN");
    await lockMigrations(client);
    const applied = await readApplied(client);
    const missing = await missingMigrations(applied);
    const functions = await readFunctions();
    const isCurrent = missing.length === 0 && applied.get(FUNCTIONS) === functions.checksum;
    if (onlyEmpty && !isCurrent && applied.size > 0)
      throw new OperatorError(
        "The database is older than this version: stop the service and start this version first.",
      );
    for (const script of missing) await apply(client, script);
    if (!isCurrent) await apply(client, functions);
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

/** Takes the migration lock until the transaction ends. Removes a provider's time limits, which would end a long migration. */
export async function lockMigrations(client: pg.Client): Promise<void> {
  await client.query("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0");
  await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
}

/** Reads applied migrations; creates the table if it is missing. @returns checksums by name */
async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  await client.query(
    `CREATE TABLE IF NOT EXISTS schema_migration
       (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL)`,
  );
  const { rows } = await client.query<Script>("SELECT name, checksum FROM schema_migration");
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

async function missingMigrations(applied: ReadonlyMap<string, string>): Promise<Script[]> {
  const migrations = await readMigrations();
  const known = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  for (const [name, checksum] of applied) {
    if (name === FUNCTIONS || known.get(name) === checksum) continue;
    throw new OperatorError(
      known.has(name)
        ? `The migration ${name} was changed after it had been applied: add a new one instead.`
        : `The database has the migration ${name}, which this Sluice does not have: start the version that made it.`,
    );
  }
  return migrations.filter(({ name }) => !applied.has(name));
}

/** Runs a script. @throws Error that names it */
async function apply(client: pg.Client, { name, sql, checksum }: Script): Promise<void> {
  // Functions may call functions of later files.
  await client.query("SET LOCAL check_function_bodies = off");
  // Without parameters, pg sends the whole script in one message.
  await client.query(sql).catch((cause: Error) => {
    throw new Error(`Migration ${name} failed and was undone: ${cause.message}`, { cause });
  });
  await client.query(
    `INSERT INTO schema_migration VALUES ($1, $2, now())
     ON CONFLICT (name) DO UPDATE SET checksum = excluded.checksum, applied_at = excluded.applied_at`,
    [name, checksum],
  );
}

/** Runs all migrations in the transaction of the caller, whose database is empty. */
export async function applyMigrations(client: pg.Client): Promise<void> {
  for (const script of await missingMigrations(await readApplied(client))) await apply(client, script);
}

/** @param client in a transaction that holds the migration lock */
export async function applyFunctions(client: pg.Client): Promise<void> {
  await apply(client, await readFunctions());
}
