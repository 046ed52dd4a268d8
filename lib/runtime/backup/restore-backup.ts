import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { applyFunctions, readFunctions } from "#lib/runtime/postgres/functions.ts";
import {
  applyMigration,
  lockMigrations,
  migrate,
  missingMigrations,
  readMigrations,
} from "#lib/runtime/postgres/migrate.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { ArchiveReader } from "./archive-reader.ts";
import {
  listDeferred,
  listRelations,
  listSequences,
  listTables,
  liftTimeouts,
  type Table,
  unifyFormats,
} from "./catalog.ts";
import { connect } from "./connect.ts";
import { unconfirmPosts } from "./unconfirm-posts.ts";
import { type Manifest, tableFile } from "./manifest.ts";
import { requireSameSchema, verifyBackup } from "./verify-backup.ts";

export type RestoreOptions = {
  /** Its role may create tables. */
  url: string;
  /** A verified archive. */
  file: string;
  onCommitted?: () => void;
};

/**
 * Loads an archive into an empty database in one transaction, so a killed restore leaves an empty database: migrations,
 * rows, functions. Posts of the queue are unconfirmed, and deliveries paused.
 * @throws OperatorError when the database is not empty, or the archive does not fit
 */
export async function restoreBackup({ url, file, onCommitted }: RestoreOptions): Promise<void> {
  const archive = await ArchiveReader.open(file);
  try {
    const client = await connect(url, "sluice-restore");
    try {
      await load(client, archive);
    } catch (error) {
      throw await explainLoad(error, file);
    } finally {
      await client.end();
    }
    onCommitted?.();
    await migrate(url);
    await analyze(url);
  } finally {
    archive.close();
  }
}

/** Changed bytes may reach the database before the checksum of their file is compared. */
async function explainLoad(error: unknown, file: string): Promise<unknown> {
  if (error instanceof OperatorError) return error;
  const damage = await verifyBackup(file).then(
    () => null,
    (found: unknown) => found,
  );
  if (damage instanceof OperatorError) return damage;
  return new OperatorError(
    `${file} could not be restored (${(error as Error).message}). Nothing was changed.`,
  );
}

async function load(client: pg.Client, archive: ArchiveReader): Promise<void> {
  const { manifest, file } = archive;
  await requireSameSchema(manifest, file);
  await client.query("BEGIN");
  await lockMigrations(client);
  await liftTimeouts(client);
  await requireEmpty(client);
  for (const migration of await missingMigrations(client, await readMigrations()))
    await applyMigration(client, migration);
  await loadRows(client, archive);
  await setSequences(client, manifest);
  await client.query("UPDATE installation SET functions_checksum = NULL, functions = '{}'");
  await applyFunctions(client, await readFunctions());
  // It was sent after the backup.
  await client.query("DELETE FROM mail");
  // Until an admin has looked at the hours that are lost.
  await client.query(
    `UPDATE setting SET value = value || '{"deliveries_paused": true}' WHERE name = 'switches'`,
  );
  await client.query("UPDATE installation SET restored_from = $1, restored_at = now()", [
    manifest.created_at,
  ]);
  await client.query("COMMIT");
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const relations = await listRelations(client);
  if (relations.length === 0) return;
  const { rows } = await client.query<{ name: string }>("SELECT current_database() AS name");
  const some = relations.slice(0, 3).join(", ") + (relations.length > 3 ? ", …" : "");
  throw new OperatorError(
    `The database ${rows[0]?.name ?? ""} is not empty (${some}): restore into an empty one. Nothing was changed.`,
  );
}

async function loadRows(client: pg.Client, archive: ArchiveReader): Promise<void> {
  const { manifest, file } = archive;
  const tables = await listTables(client);
  const stored = new Map(manifest.tables.map((table) => [table.name, table]));
  for (const table of tables) requireSameColumns(table, stored.get(table.name), file);
  const deferred = await listDeferred(client);
  for (const { drop } of deferred) await client.query(drop);
  // Some migrations insert rows. A truncated table can be loaded frozen.
  await client.query(`TRUNCATE ${tables.map(({ name }) => client.escapeIdentifier(name)).join(", ")}`);
  await unifyFormats(client);
  for (const table of tables) await loadTable(client, archive, table, stored.get(table.name) as StoredTable);
  await unconfirmPosts(client, manifest.created_at);
  // Foreign keys last, when the indexes that check them exist.
  for (const { create } of deferred.reverse()) await client.query(create);
}

type StoredTable = Manifest["tables"][number];

function requireSameColumns(table: Table, stored: StoredTable | undefined, file: string): void {
  if (stored !== undefined && [...stored.columns].sort().join() === [...table.columns].sort().join()) return;
  throw new OperatorError(
    `${file} does not fit its own migrations: the table ${table.name} ${stored === undefined ? "is missing" : "has other columns"}. Nothing was changed.`,
  );
}

async function loadTable(
  client: pg.Client,
  archive: ArchiveReader,
  table: Table,
  stored: StoredTable,
): Promise<void> {
  const columns = stored.columns.map((column) => client.escapeIdentifier(column)).join(", ");
  const copy = client.query(
    copyFrom(
      `COPY ${client.escapeIdentifier(table.name)} (${columns}) FROM STDIN (FORMAT csv, HEADER MATCH, FREEZE, ENCODING 'UTF8')`,
    ),
  );
  await pipeline(Readable.from(archive.read(tableFile(table.name), stored)), copy);
  if (copy.rowCount === stored.rows) return;
  throw new OperatorError(
    `${archive.file} is damaged: ${table.name} has ${copy.rowCount} rows instead of ${stored.rows}. Nothing was changed.`,
  );
}

async function setSequences(client: pg.Client, manifest: Manifest): Promise<void> {
  const known = new Map(
    (await listSequences(client)).map((each) => [`${each.table}.${each.column}`, each.sequence]),
  );
  for (const { table, column, last_value, is_called } of manifest.sequences) {
    const sequence = known.get(`${table}.${column}`);
    if (sequence !== undefined)
      await client.query("SELECT setval($1::regclass, $2::bigint, $3)", [sequence, last_value, is_called]);
  }
}

async function analyze(url: string): Promise<void> {
  const client = await connect(url, "sluice-restore");
  try {
    await client.query("ANALYZE");
  } finally {
    await client.end();
  }
}
