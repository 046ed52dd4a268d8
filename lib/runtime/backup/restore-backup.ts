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
import { listDeferred, listRelations, listTables, liftTimeouts, unifyFormats } from "./catalog.ts";
import { connect } from "./connect.ts";
import { type Manifest, tableFile } from "./manifest.ts";

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
      if (error instanceof OperatorError) throw error;
      const reason = (error as Error).message;
      throw new OperatorError(`${file} could not be restored (${reason}). Nothing was changed.`);
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

async function load(client: pg.Client, archive: ArchiveReader): Promise<void> {
  const { manifest } = archive;
  await client.query("BEGIN");
  await lockMigrations(client);
  await liftTimeouts(client);
  await requireEmpty(client);
  for (const migration of await missingMigrations(client, await readMigrations()))
    await applyMigration(client, migration);
  await loadRows(client, archive);
  for (const { name, last_value } of manifest.sequences)
    if (last_value !== null)
      await client.query("SELECT setval(to_regclass(quote_ident($1)), $2::bigint)", [name, last_value]);
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
  // The operator may have other tables.
  const own = new Set((await listTables(client)).map(({ name }) => name));
  const tables = archive.manifest.tables.filter(({ name }) => own.has(name));
  const deferred = await listDeferred(client);
  for (const { drop } of deferred) await client.query(drop);
  // The migration inserts rows. A truncated table can be loaded frozen.
  await client.query(`TRUNCATE ${tables.map(({ name }) => client.escapeIdentifier(name)).join(", ")}`);
  await unifyFormats(client);
  for (const table of tables) await loadTable(client, archive, table);
  await unconfirmPosts(client, archive.manifest.created_at);
  // Foreign keys last, when the indexes that check them exist.
  for (const { create } of deferred.reverse()) await client.query(create);
}

async function loadTable(
  client: pg.Client,
  archive: ArchiveReader,
  stored: Manifest["tables"][number],
): Promise<void> {
  const columns = stored.columns.map((column) => client.escapeIdentifier(column)).join(", ");
  const copy = client.query(
    copyFrom(
      `COPY ${client.escapeIdentifier(stored.name)} (${columns}) FROM STDIN (FORMAT csv, HEADER MATCH, FREEZE, ENCODING 'UTF8')`,
    ),
  );
  await pipeline(Readable.from(archive.read(tableFile(stored.name), stored)), copy);
}

/**
 * Makes every post of the queue unconfirmed, and those that may enter it: since the backup its author may have deleted
 * it or refused. Statements for tables without triggers, which hold the same as triggers would.
 *
 * @param from time of the backup
 */
async function unconfirmPosts(client: pg.Client, from: string): Promise<void> {
  // As before_restore() in prisma/functions/enqueue.sql. Hold 4: unconfirmed, 8: unverifiable.
  await client.query(
    `UPDATE queue_entry SET confirmed_at = '1969-12-31T00:00:00Z',
            holds = CASE WHEN state = 'pending' AND holds & 8 = 0 THEN holds | 4 ELSE holds END`,
  );
  // Earlier confirmations have expired under every CONFIRM_WITHIN_HOURS above 0.
  await client.query(
    `UPDATE post SET confirmed_at = NULL, confirmed_by = NULL
      WHERE confirmed_at > $1::timestamptz - interval '31 days' OR confirmed_at IS NOT NULL AND approved IS NULL`,
    [from],
  );
}

async function analyze(url: string): Promise<void> {
  const client = await connect(url, "sluice-restore");
  try {
    await client.query("ANALYZE");
  } finally {
    await client.end();
  }
}
