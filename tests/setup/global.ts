import { createHash, randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "#lib/runtime/embedded-postgres.ts";
import { migrate, readMigrations } from "#lib/runtime/migrate.ts";
import { ensurePrismaClient } from "#lib/runtime/prisma-client.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Connection to the server's own database, for making and dropping others. */
    adminUrl: string;
    /** The migrated, empty database that each test file gets a copy of. */
    templateDatabase: string;
  }
}

const TEMPLATE_LOCK = 5_711_001;

/**
 * Once for a run: a PostgreSQL in a temporary folder, and on it one migrated database to copy from. With
 * TEST_DATABASE_ADMIN_URL (a superuser's connection to any server) several runs can share one server.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await ensurePrismaClient();
  const shared = process.env.TEST_DATABASE_ADMIN_URL;
  if (shared) {
    await provideTemplate(project, shared);
    return () => Promise.resolve();
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
    await provideTemplate(project, server.url);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

async function provideTemplate(project: TestProject, adminUrl: string): Promise<void> {
  project.provide("adminUrl", adminUrl);
  project.provide("templateDatabase", await ensureTemplate(adminUrl));
}

async function ensureTemplate(adminUrl: string): Promise<string> {
  const migrations = await readMigrations();
  const fingerprint = createHash("sha256")
    .update(migrations.map((each) => each.name + each.checksum).join())
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
      const url = new URL(adminUrl);
      url.pathname = `/${half}`;
      await migrate(url.href);
      await admin.query(`ALTER DATABASE ${half} RENAME TO ${template}`);
    }
  } finally {
    await admin.end();
  }
  return template;
}
