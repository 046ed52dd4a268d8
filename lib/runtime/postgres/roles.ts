import { createHmac } from "node:crypto";
import type pg from "pg";
import { canConnect, connectToMigrate } from "./connect.ts";

/* Two roles: the owner migrates; the application reads and writes rows, and owns nothing. */

/** Role of the application in the built-in database. */
export const APP_ROLE = "sluice_app";

/** Its password is derived from the owner's, so that one file is enough and it leads to no other password. */
export function appUrlOf(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.password = createHmac("sha256", decodeURIComponent(url.password)).update(APP_ROLE).digest("base64url");
  url.username = APP_ROLE;
  return url.href;
}

export type AppRole = {
  name: string;
  /** Connects as a role that Sluice creates; null for a role of the operator. */
  url: string | null;
};

export function builtInRole(ownerUrl: string): AppRole & { url: string } {
  return { name: APP_ROLE, url: appUrlOf(ownerUrl) };
}

/**
 * Creates the role, unless its password works, and lets it read and write rows.
 * @param client of the owner, in the transaction that holds the migration lock
 */
export async function setUpRole(client: pg.Client, { name, url }: AppRole): Promise<void> {
  if (url !== null && !(await canConnect(url))) {
    const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [name]);
    const verb = rowCount === 0 ? "CREATE" : "ALTER";
    await client.query(
      `${verb} ROLE ${client.escapeIdentifier(name)} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
         PASSWORD ${client.escapeLiteral(new URL(url).password)}`,
    );
  }
  await grantRows(client, name);
}

/**
 * The role of a connection; a pooler may map the user name of its URL.
 * @throws OperatorError when the database cannot be reached
 */
export async function roleOf(url: string): Promise<string> {
  const client = await connectToMigrate(url);
  try {
    const { rows } = await client.query<{ role: string }>("SELECT current_user AS role");
    return rows[0]?.role ?? "";
  } finally {
    await client.end();
  }
}

/** Only read by the application. */
const READ_ONLY = ["_prisma_migrations"];

/** Rights that the role has are not granted again. */
async function grantRows(client: pg.Client, role: string): Promise<void> {
  const grantee = client.escapeIdentifier(role);
  const { rows } = await client.query<{ name: string; kind: string; schema: string }>(
    `SELECT c.oid::regclass::text AS name, quote_ident(n.nspname) AS schema,
            CASE WHEN c.relkind = 'S' THEN 'sequence' WHEN c.relname = ANY ($2) THEN 'read' ELSE 'table' END AS kind
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
        AND pg_has_role(c.relowner, 'USAGE')
        AND NOT CASE
          WHEN c.relkind = 'S' THEN has_sequence_privilege($1, c.oid, 'USAGE')
          WHEN c.relname = ANY ($2) THEN has_table_privilege($1, c.oid, 'SELECT')
          ELSE has_table_privilege($1, c.oid, 'SELECT') AND has_table_privilege($1, c.oid, 'INSERT')
           AND has_table_privilege($1, c.oid, 'UPDATE') AND has_table_privilege($1, c.oid, 'DELETE') END`,
    [role, READ_ONLY],
  );
  const of = (kind: string) => rows.filter((row) => row.kind === kind).map((row) => row.name);
  const grant = async (rights: string, on: string[], word = "") => {
    if (on.length > 0) await client.query(`GRANT ${rights} ON ${word} ${on.join(", ")} TO ${grantee}`);
  };
  await grant("USAGE", [...new Set(rows.map((row) => row.schema))], "SCHEMA");
  await grant("SELECT", of("read"));
  await grant("SELECT, INSERT, UPDATE, DELETE", of("table"));
  await grant("USAGE, SELECT", of("sequence"), "SEQUENCE");
}
