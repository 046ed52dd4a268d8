import { randomBytes } from "node:crypto";
import pg from "pg";

export type DatabaseServer = {
  /** Connection to the server's own database, for making and dropping others. */
  adminUrl: string;
  /** The migrated, empty database. */
  template: string;
};

/**
 * Makes a copy of the template.
 * @returns its address, and what drops it again, whoever is connected
 */
export async function copyTemplate({
  adminUrl,
  template,
}: DatabaseServer): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  await asAdmin(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const drop = () => asAdmin(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  return { url: urlOf(adminUrl, name), drop };
}

/** The address of another database of the same server. */
export function urlOf(adminUrl: string, database: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function asAdmin(adminUrl: string, statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}
