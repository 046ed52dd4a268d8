import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { connect } from "#lib/runtime/postgres/connect.ts";
import { readMigrations } from "#lib/runtime/postgres/migrate.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { type Add, type Manifest, MANIFEST, openArchive, tableFile, writeArchive } from "./archive.ts";

export type Verified = {
  manifest: Manifest;
  rows: number;
  /** Size of the archive. */
  bytes: number;
};

/**
 * Writes an archive of all rows at one moment, and reads it again. The service may run meanwhile.
 * @param url of a role that may read all tables
 * @param file absolute path that must not exist
 * @throws OperatorError, and then leaves no file
 */
export async function writeBackup({ url, file }: { url: string; file: string }): Promise<Verified> {
  return writeArchive(file, (add) => copyDatabase(url, add), readBackup);
}

/** Locks the tables against ALTER before it takes the snapshot: to an older snapshot, a rewritten table looks empty. */
async function copyDatabase(url: string, add: Add): Promise<void> {
  const client = await connect(url, "sluice-backup");
  try {
    const locked = (await listTables(client)).map(({ name }) => name);
    if (!locked.includes("installation"))
      throw new OperatorError("The database has no tables of Sluice: there is nothing to back up.");
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await client.query("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0");
    const names = locked.map((name) => client.escapeIdentifier(name));
    await client.query(`LOCK TABLE ${names.join(", ")} IN ACCESS SHARE MODE`);
    await prepareSession(client);
    const { rows: migrations } = await client.query<Manifest["migrations"][number]>(
      "SELECT name, checksum FROM schema_migration WHERE name <> 'functions' ORDER BY name",
    );
    const copies = [];
    for (const table of await listTables(client)) {
      const columns = table.columns.map((column) => client.escapeIdentifier(column)).join(", ");
      const statement = `COPY ${client.escapeIdentifier(table.name)} (${columns}) TO STDOUT (FORMAT csv, HEADER, ENCODING 'UTF8')`;
      const copy = client.query(copyTo(statement));
      await add(tableFile(table.name), copy);
      copies.push({ ...table, copy });
    }
    const manifest: Manifest = {
      format: "sluice-backup",
      created_at: new Date().toISOString(),
      sluice_version: packageJson.version,
      migrations,
      sequences: await listSequences(client),
      // The number of rows arrives after the rows; the query for the sequences has waited for it.
      tables: copies.map(({ copy, ...table }) => ({ ...table, rows: copy.rowCount })),
    };
    await add(MANIFEST, Readable.from([Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)]));
  } finally {
    await client.end();
  }
}

/** Reads the whole archive and compares it with its checksums. */
async function readBackup(file: string): Promise<Verified> {
  const { manifest, read, close } = await openArchive(file);
  try {
    for (const { name } of manifest.tables) for await (const chunk of read(tableFile(name))) void chunk;
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return { manifest, rows, bytes: (await stat(file)).size };
  } finally {
    close();
  }
}

/**
 * Whether the archive is complete, and can be restored by this version.
 * @throws OperatorError for an archive that is damaged, foreign or of another schema
 */
export async function verifyBackup(file: string): Promise<Verified> {
  const verified = await readBackup(file);
  const { migrations, sluice_version } = verified.manifest;
  const list = (all: { name: string; checksum: string }[]) =>
    all.map((each) => each.name + each.checksum).join();
  if (list(migrations) === list(await readMigrations())) return verified;
  throw new OperatorError(
    `${file} was written by another Sluice (version ${sluice_version}, with other tables): restore it with that version. Nothing was changed.`,
  );
}

/** SQL: the object belongs to no extension. */
export const OWN = (catalog: string, oid: string) => `NOT EXISTS (
  SELECT FROM pg_depend e WHERE e.classid = '${catalog}'::regclass AND e.objid = ${oid} AND e.deptype = 'e')`;

/** Lists tables and their columns, without generated columns, which COPY does not accept. */
export async function listTables(client: pg.ClientBase) {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> 'schema_migration'
        AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND ${OWN("pg_class", "c.oid")}
      GROUP BY 1 ORDER BY 1`,
  );
  return rows;
}

/** Lists sequences with their last values; null if never used. They are outside of snapshots, but never behind their rows. */
async function listSequences(client: pg.ClientBase) {
  const { rows } = await client.query<{ name: string; last_value: string | null }>(
    `SELECT c.relname AS name, pg_sequence_last_value(c.oid)::text AS last_value FROM pg_class c
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'S' AND ${OWN("pg_class", "c.oid")}
      ORDER BY 1`,
  );
  return rows;
}

/** Removes a provider's time-outs for the rest of the transaction, and makes texts the same on every server. */
export async function prepareSession(client: pg.ClientBase): Promise<void> {
  await client.query(
    `SELECT set_config(name, '0', true) FROM pg_settings
      WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`,
  );
  await client.query(
    `SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL IntervalStyle = 'postgres';
     SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1`,
  );
}
