import type pg from "pg";

/**
 * What our queries were measured with, for a database of the operator's own; the built-in one is told more at its start
 * (`postgres-settings.ts`). The defaults are for turning disks and for queries that take seconds: with them a list of a
 * week read the whole queue.
 */
const PREFERRED: Readonly<Record<string, string>> = { random_page_cost: "1.1", jit: "off" };

/**
 * Writes the settings that nobody has chosen into this database, for the sessions to come: no other database of the
 * server is touched, and a word of the server's file, its command line, a provider or a role stands. A role that does not
 * own the database leaves everything as it is.
 * @param client in a transaction that holds the lock of migrations
 * @returns names of what was written
 */
export async function preferSettings(
  client: pg.Client,
  preferred: Readonly<Record<string, string>> = PREFERRED,
): Promise<string[]> {
  const { rows } = await client.query<{ name: string; database: string }>(
    `SELECT s.name, quote_ident(d.datname) AS database FROM pg_settings s, pg_database d
      WHERE s.name = ANY ($1) AND s.source = 'default'
        AND d.datname = current_database() AND pg_has_role(d.datdba, 'USAGE')
      ORDER BY s.name`,
    [Object.keys(preferred)],
  );
  for (const { name, database } of rows) {
    await client.query(`ALTER DATABASE ${database} SET ${name} = '${preferred[name] ?? ""}'`);
  }
  return rows.map(({ name }) => name);
}
