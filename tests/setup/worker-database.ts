import pg from "pg";
import { copyTemplate, type DatabaseServer } from "./database.ts";

/*
 * Each worker of the integration tests has one database for all its files: a copy of the template, emptied between files.
 * Sequences go on, so that an id cached in a module never means another row.
 */

/** Rows that the migration writes, by table, in the order in which they can be inserted. */
type Seed = { table: string; rows: unknown }[];

interface WorkerDatabase {
  client: pg.Client;
  seed: Seed;
}

const holder = globalThis as { sluiceTestDatabase?: Promise<WorkerDatabase> };

/** Opens the worker's database for its first file, and puts it back to the seed for each later file. */
export async function prepareWorkerDatabase(server: DatabaseServer): Promise<void> {
  const isFirst = holder.sluiceTestDatabase === undefined;
  holder.sluiceTestDatabase ??= openDatabase(server);
  const { client, seed } = await holder.sluiceTestDatabase;
  if (!isFirst) await reset(client, seed);
}

async function openDatabase(server: DatabaseServer): Promise<WorkerDatabase> {
  const { url } = await copyTemplate(server);
  process.env.DATABASE_URL = url;
  delete process.env.DIRECT_URL;
  process.env.AUTH_SECRET = "a secret for tests only, long enough to be one";
  process.env.ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");
  process.env.PUBLIC_URL = "http://localhost:3000";
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return { client, seed: await readSeed(client) };
}

async function listTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'schema_migration' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

async function readSeed(client: pg.Client): Promise<Seed> {
  const seed: Seed = [];
  for (const table of await listTables(client)) {
    const { rows } = await client.query<{ rows: unknown }>(`SELECT jsonb_agg(t) AS rows FROM ${table} t`);
    if (rows[0]?.rows != null) seed.push({ table, rows: rows[0].rows });
  }
  return seed;
}

/** Triggers do not see the seed, as the migration wrote it before they existed. */
async function reset(client: pg.Client, seed: Seed): Promise<void> {
  const tables = (await listTables(client)).join(", ");
  await client.query("BEGIN");
  await client.query("SET LOCAL session_replication_role = replica");
  await client.query(`TRUNCATE ${tables} CASCADE`);
  for (const { table, rows } of seed) {
    await client.query(`INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1)`, [
      JSON.stringify(rows),
    ]);
  }
  await client.query("COMMIT");
}
