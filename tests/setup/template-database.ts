import { createHash, randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { startEmbeddedPostgres } from "#lib/runtime/embedded-postgres.ts";
import { readFunctions } from "#lib/runtime/database-functions.ts";
import { migrate, readMigrations } from "#lib/runtime/migrate.ts";
import { urlOf, type DatabaseServer } from "./database-copy.ts";

/*
 * One PostgreSQL for a whole run, and on it a migrated, empty database that is copied for whoever needs one: a copy
 * takes a tenth of a second, a server with its migrations some seconds.
 */

const TEMPLATE_LOCK = 5_711_001;

/**
 * Starts the server in a temporary folder and makes the template on it. With TEST_DATABASE_ADMIN_URL (a superuser's
 * connection to any server) several runs can share one server.
 * @returns the server, and what takes it down again
 */
export async function startDatabaseServer(): Promise<DatabaseServer & { stop: () => Promise<void> }> {
  const shared = process.env.TEST_DATABASE_ADMIN_URL;
  if (shared) {
    return { adminUrl: shared, template: await ensureTemplate(shared), stop: () => Promise.resolve() };
  }
  const dataDir = await mkdtemp(path.join(tmpdir(), "sluice-test-"));
  // As root the database has an account of its own, which has to get in here.
  await chmod(dataDir, 0o711);
  const server = await startEmbeddedPostgres({ dataDir, database: "admin", durable: false });
  const stop = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    return { adminUrl: server.url, template: await ensureTemplate(server.url), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function ensureTemplate(adminUrl: string): Promise<string> {
  const migrations = await readMigrations();
  const fingerprint = createHash("sha256")
    .update(migrations.map((each) => each.name + each.checksum).join())
    .update((await readFunctions()).checksum)
    .digest("hex");
  const template = `template_${fingerprint.slice(0, 16)}`;
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query("SELECT pg_advisory_lock($1)", [TEMPLATE_LOCK]);
    const found = await admin.query("SELECT 1 FROM pg_database WHERE datname = $1", [template]);
    if (found.rowCount === 0) {
      // Named only when finished, so that an interrupted run leaves no half-migrated template behind.
      const half = `half_${randomBytes(6).toString("hex")}`;
      await admin.query(`CREATE DATABASE ${half} TEMPLATE template0 ENCODING 'UTF8'`);
      await migrate(urlOf(adminUrl, half));
      await admin.query(`ALTER DATABASE ${half} RENAME TO ${template}`);
    }
  } finally {
    await admin.end();
  }
  return template;
}
