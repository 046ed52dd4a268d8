import { createHash, randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/*
 * One PostgreSQL server per run with a migrated template database, because a copy takes a tenth of a second
 * and migrations some seconds. Every test file loads this module, so modules of the server are imported at
 * its start.
 */

const TEMPLATE_LOCK = 5_711_001;

export type DatabaseServer = {
  adminUrl: string;
  template: string;
};

/**
 * Starts the server and creates the template. With TEST_DATABASE_ADMIN_URL (a superuser's connection string)
 * several runs share one server.
 */
export async function startDatabaseServer(): Promise<DatabaseServer & { stop: () => Promise<void> }> {
  const shared = process.env.TEST_DATABASE_ADMIN_URL;
  if (shared) {
    return { adminUrl: shared, template: await ensureTemplate(shared), stop: () => Promise.resolve() };
  }
  const dataDir = await mkdtemp(path.join(tmpdir(), "sluice-test-"));
  // As root, the database runs under another account.
  await chmod(dataDir, 0o711);
  const { startEmbeddedPostgres } = await import("#lib/runtime/postgres/embedded.ts");
  const server = await startEmbeddedPostgres({ dataDir, durable: false });
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
  const { migrate, readFunctions, readMigrations } = await import("#lib/runtime/postgres/migrate.ts");
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
      // Renamed when finished, so that an interrupted run leaves no incomplete template.
      const unfinished = `unfinished_${randomBytes(6).toString("hex")}`;
      await admin.query(`CREATE DATABASE ${unfinished} TEMPLATE template0 ENCODING 'UTF8'`);
      const url = databaseUrl(adminUrl, unfinished);
      await migrate(url);
      await admin.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`);
    }
  } finally {
    await admin.end();
  }
  return template;
}

/**
 * Copies the template.
 *
 * @returns the copy's URL for its owner, and a function that drops it despite open connections
 */
export async function copyTemplate({
  adminUrl,
  template,
}: DatabaseServer): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  // Without fsync a copy of the files takes a quarter of the time of the default, which writes each page to the log.
  await query(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const drop = async () => {
    await query(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  return { url: databaseUrl(adminUrl, name), drop };
}

function databaseUrl(adminUrl: string, database: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return url.href;
}

export async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

export const LOCK_TIMEOUT = { timeout: 20_000 };

export async function waitForBlockedStatement(): Promise<void> {
  const url = process.env.DATABASE_URL ?? "";
  const deadline = Date.now() + LOCK_TIMEOUT.timeout;
  const blocked = () =>
    query(
      url,
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
  while ((await blocked()).length !== 1) {
    if (Date.now() > deadline) throw new Error("No statement waits for a lock.");
    await sleep(50);
  }
}
