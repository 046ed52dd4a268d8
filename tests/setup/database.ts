import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, inject } from "vitest";

/*
 * Gives each test file a database of its own, before any of its modules is loaded, and drops it afterwards.
 */

const adminUrl = inject("adminUrl");
const name = `test_${randomBytes(8).toString("hex")}`;

async function asAdmin(statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}

await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${inject("templateDatabase")}`);
const url = new URL(adminUrl);
url.pathname = `/${name}`;
process.env.DATABASE_URL = url.href;
delete process.env.DIRECT_URL;
process.env.AUTH_SECRET = "a secret for tests only, long enough to be one";
process.env.ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");
process.env.PUBLIC_URL = "http://localhost:3000";

afterAll(async () => {
  const { disconnectDb } = await import("#lib/db.ts");
  await disconnectDb();
  await asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
});
