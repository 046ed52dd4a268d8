import { afterAll, inject } from "vitest";
import { copyTemplate } from "./database-copy.ts";

/*
 * Gives each test file a database of its own, before any of its modules is loaded, and drops it afterwards.
 */

const { url, drop } = await copyTemplate({
  adminUrl: inject("adminUrl"),
  template: inject("templateDatabase"),
});
process.env.DATABASE_URL = url;
delete process.env.DIRECT_URL;
process.env.AUTH_SECRET = "a secret for tests only, long enough to be one";
process.env.ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");
process.env.PUBLIC_URL = "http://localhost:3000";

afterAll(async () => {
  const { disconnectDb } = await import("#lib/db.ts");
  await disconnectDb();
  await drop();
});
