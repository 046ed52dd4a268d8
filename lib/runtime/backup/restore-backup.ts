import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { connect } from "#lib/runtime/postgres/connect.ts";
import { applyFunctions, applyMigrations, lockMigrations } from "#lib/runtime/postgres/migrate.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { type Archive, openArchive, tableFile } from "./archive.ts";
import { listTables, OWN, prepareSession } from "./backup.ts";

/**
 * Loads an archive into an empty database: migrations, rows, functions. One transaction, so that a killed restore leaves it
 * empty. Posts of the queue become unconfirmed, deliveries are paused, and new alerts wait.
 * @param url of a role that may create tables
 * @param file a verified archive
 * @throws OperatorError when the database is not empty, or the archive does not fit
 */
export async function restoreBackup({ url, file }: { url: string; file: string }): Promise<void> {
  const client = await connect(url, "sluice-restore");
  let archive: Archive | undefined;
  try {
    archive = await openArchive(file);
    await load(client, archive);
    await client.query("ANALYZE");
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `${file} could not be restored (${(error as Error).message}). Nothing was changed.`,
    );
  } finally {
    await client.end();
    archive?.close();
  }
}

async function load(client: pg.Client, archive: Archive): Promise<void> {
  const { created_at, sequences } = archive.manifest;
  await client.query("BEGIN");
  await lockMigrations(client);
  await prepareSession(client);
  await requireEmpty(client);
  await applyMigrations(client);
  await loadRows(client, archive);
  for (const { name, last_value } of sequences)
    if (last_value !== null)
      await client.query("SELECT setval(to_regclass(quote_ident($1)), $2::bigint)", [name, last_value]);
  await applyFunctions(client);
  // Mail in the archive was sent after the backup.
  await client.query("DELETE FROM mail");
  // Deliveries wait until an admin has looked at the hours that are lost.
  await client.query(
    `UPDATE setting SET value = value || '{"deliveries_paused": true}' WHERE name = 'switches'`,
  );
  await client.query(
    "UPDATE installation SET restored_from = $1, restored_at = now(), alerts_from = now() + interval '10 minutes'",
    [created_at],
  );
  await client.query("COMMIT");
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; database: string }>(
    `SELECT c.relname AS name, current_database() AS database FROM pg_class c
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
        AND ${OWN("pg_class", "c.oid")} ORDER BY 1`,
  );
  if (rows.length === 0) return;
  const some = rows.slice(0, 3).map(({ name }) => name);
  throw new OperatorError(
    `The database ${rows[0]?.database} is not empty (${some.join(", ")}${rows.length > 3 ? ", …" : ""}): restore into an empty one, or into a new DATA_DIR. Nothing was changed.`,
  );
}

/** Statements that remove and restore objects that make loading slow or depend on its order. */
type Deferred = { drop: string; create: string };

/** Lists foreign keys, then indexes that no constraint needs. */
async function listDeferred(client: pg.Client): Promise<Deferred[]> {
  const { rows } = await client.query<Deferred>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
            format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS create
       FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
     UNION ALL
     SELECT format('DROP INDEX %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
       FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND ${OWN("pg_class", "c.oid")}
        AND NOT EXISTS (SELECT FROM pg_constraint o WHERE o.conindid = i.indexrelid)
     ORDER BY 1`,
  );
  return rows;
}

async function loadRows(client: pg.Client, { manifest, read }: Archive): Promise<void> {
  // The operator may have other tables.
  const own = new Set((await listTables(client)).map(({ name }) => name));
  const tables = manifest.tables.filter(({ name }) => own.has(name));
  const deferred = await listDeferred(client);
  for (const { drop } of deferred) await client.query(drop);
  // The migration has inserted rows. And only a table truncated in this transaction can be loaded frozen.
  await client.query(`TRUNCATE ${tables.map(({ name }) => client.escapeIdentifier(name)).join(", ")}`);
  for (const { name, columns } of tables) {
    const list = columns.map((column) => client.escapeIdentifier(column)).join(", ");
    const statement = `COPY ${client.escapeIdentifier(name)} (${list}) FROM STDIN (FORMAT csv, HEADER MATCH, FREEZE, ENCODING 'UTF8')`;
    await pipeline(Readable.from(read(tableFile(name))), client.query(copyFrom(statement)));
  }
  await unconfirmPosts(client, manifest.created_at);
  // Reversed: foreign keys come last, when the indexes that check them exist.
  for (const { create } of deferred.reverse()) await client.query(create);
}

/**
 * Makes every post unconfirmed that is in the queue or may enter it, because since the backup its author may have deleted it or
 * refused. The tables have no triggers yet, so the
 * statements write what triggers would.
 *
 * @param from time of the backup
 */
async function unconfirmPosts(client: pg.Client, from: string): Promise<void> {
  // As confirmed_since(0) in prisma/functions/enqueue.sql. Hold 4: unconfirmed, 8: unverifiable.
  await client.query(
    `UPDATE queue_entry SET confirmed_at = '1969-12-31T00:00:00Z',
            holds = CASE WHEN state = 'pending' AND holds & 8 = 0 THEN holds | 4 ELSE holds END`,
  );
  // Earlier confirmations have expired, whatever CONFIRM_WITHIN_HOURS above 0 is.
  await client.query(
    `UPDATE post SET confirmed_at = NULL, confirmed_by = NULL
      WHERE confirmed_at > $1::timestamptz - interval '31 days' OR confirmed_at IS NOT NULL AND approved IS NULL`,
    [from],
  );
}
