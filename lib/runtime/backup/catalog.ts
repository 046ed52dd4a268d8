import type pg from "pg";

/* Contents of a backup besides rows, read from the system catalogs. */

/** Not of an extension. */
export const OWN = (catalog: string, oid: string) => `NOT EXISTS (
  SELECT FROM pg_depend e WHERE e.classid = '${catalog}'::regclass AND e.objid = ${oid} AND e.deptype = 'e')`;

/** Generated columns are left out: COPY does not accept them. */
export async function listTables(client: pg.ClientBase) {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> '_prisma_migrations'
        AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND ${OWN("pg_class", "c.oid")}
      GROUP BY 1 ORDER BY 1`,
  );
  return rows;
}

/** With its last value; null when it was never used. Sequences are outside of snapshots, but never behind their rows. */
export async function listSequences(client: pg.ClientBase) {
  const { rows } = await client.query<{ name: string; last_value: string | null }>(
    `SELECT c.relname AS name, pg_sequence_last_value(c.oid)::text AS last_value FROM pg_class c
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'S' AND ${OWN("pg_class", "c.oid")}
      ORDER BY 1`,
  );
  return rows;
}

/** Statements that remove and restore objects that make loading slow or depend on its order. */
export type Deferred = { drop: string; create: string };

/** Foreign keys first, then indexes that no constraint needs. */
export async function listDeferred(client: pg.ClientBase): Promise<Deferred[]> {
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

/** For the rest of the transaction: no time-outs of a provider, and the same text on every server. */
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
