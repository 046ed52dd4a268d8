import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { MIGRATION_LOCK } from "#lib/runtime/postgres/migrate.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { ArchiveWriter, explainWrite } from "./archive-writer.ts";
import { listSequences, listTables, liftTimeouts, type Table, unifyFormats } from "./catalog.ts";
import { connect } from "./connect.ts";
import { FORMAT, FORMAT_VERSION, MANIFEST, type Manifest, tableFile } from "./manifest.ts";
import { readBackup, type Verified } from "./verify-backup.ts";

export type BackupOptions = {
  /** Its role may read all tables. */
  url: string;
  /** Absolute; must not exist. */
  file: string;
};

/**
 * Writes all rows of one moment while the service runs, reads the archive again and gives it its name.
 * @throws OperatorError; no file appears then
 */
export async function writeBackup(options: BackupOptions): Promise<Verified> {
  try {
    return await writeArchive(options);
  } catch (error) {
    throw explainWrite(error, options.file);
  }
}

async function writeArchive({ url, file }: BackupOptions): Promise<Verified> {
  const archive = await ArchiveWriter.create(file);
  try {
    const manifest = await inSnapshot(url, (client) => copyDatabase(client, archive));
    await archive.addText(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
    await archive.finish();
    const verified = await readBackup(archive.partial);
    await archive.publish();
    return verified;
  } catch (error) {
    await archive.discard();
    throw error;
  }
}

/**
 * Tables are locked against ALTER before the snapshot is taken, since a rewritten table looks empty to an older
 * snapshot. Meanwhile a second connection keeps migrations away: two locks in different orders would be a deadlock.
 */
async function inSnapshot<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const guard = await connect(url, "sluice-backup");
  try {
    await guard.query("BEGIN");
    await liftTimeouts(guard);
    await guard.query("SELECT pg_advisory_xact_lock_shared($1)", [MIGRATION_LOCK]);
    await requireTables(guard);
    const tables = (await listTables(guard)).map(({ name }) => guard.escapeIdentifier(name));
    const client = await connect(url, "sluice-backup");
    try {
      await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      await client.query("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0");
      await client.query(`LOCK TABLE ${tables.join(", ")} IN ACCESS SHARE MODE`);
      await liftTimeouts(client);
      await guard.query("COMMIT");
      await unifyFormats(client);
      return await work(client);
    } finally {
      await client.end();
    }
  } finally {
    await guard.end();
  }
}

async function requireTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ missing: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NULL AS missing",
  );
  if (rows[0]?.missing)
    throw new OperatorError("The database has no tables of Sluice: there is nothing to back up.");
}

async function copyDatabase(client: pg.Client, archive: ArchiveWriter): Promise<Manifest> {
  const { rows: server } = await client.query<{ version: string }>(
    "SELECT current_setting('server_version') AS version",
  );
  const { rows: migrations } = await client.query<Manifest["migrations"][number]>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  );
  const copies = [];
  for (const table of await listTables(client)) copies.push(await copyTable(client, archive, table));
  return {
    format: FORMAT,
    format_version: FORMAT_VERSION,
    created_at: new Date().toISOString(),
    sluice_version: packageJson.version,
    postgres_version: server[0]?.version ?? "",
    migrations,
    // The number of rows arrives after the rows; a later query has waited for it.
    tables: copies.map(({ copy, ...table }) => ({ ...table, rows: copy.rowCount })),
    sequences: await listSequences(client),
  };
}

async function copyTable(client: pg.Client, archive: ArchiveWriter, table: Table) {
  const columns = table.columns.map((column) => client.escapeIdentifier(column)).join(", ");
  const copy = client.query(
    copyTo(
      `COPY ${client.escapeIdentifier(table.name)} (${columns}) TO STDOUT (FORMAT csv, HEADER, ENCODING 'UTF8')`,
    ),
  );
  return { ...table, ...(await archive.add(tableFile(table.name), copy)), copy };
}
