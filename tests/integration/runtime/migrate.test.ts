import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { migrate, readMigrations } from "#lib/runtime/migrate.ts";
import { OperatorError } from "#lib/runtime/operator-error.ts";

const url = () => process.env.DATABASE_URL ?? "";
let client: pg.Client;

beforeAll(async () => {
  client = new pg.Client({ connectionString: url() });
  await client.connect();
});

afterAll(() => client.end());

test("a migrated database has a row for each migration, as Prisma writes them", async () => {
  const migrations = await readMigrations();
  const { rows } = await client.query(
    "SELECT migration_name AS name, checksum, applied_steps_count AS steps, finished_at IS NOT NULL AS finished FROM _prisma_migrations ORDER BY 1",
  );
  expect(rows).toEqual(
    migrations.map(({ name, checksum }) => ({ name, checksum, steps: 1, finished: true })),
  );
});

test("applying again does nothing, also when several do it at once", async () => {
  expect(await Promise.all([migrate(url()), migrate(url()), migrate(url())])).toEqual([[], [], []]);
});

test("a database that is newer than the code is refused", async () => {
  await client.query(
    "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '99991231000000_from_the_future', now())",
  );
  await expect(migrate(url())).rejects.toThrow(/newer than this Sluice/);
  await client.query("DELETE FROM _prisma_migrations WHERE id = 'x'");
});

test("a role that may not make tables is told what to do", async () => {
  const role = `guest_${randomBytes(6).toString("hex")}`;
  const admin = new pg.Client({ connectionString: inject("adminUrl") });
  await admin.connect();
  await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'guest'`);
  const as = new URL(url());
  as.username = role;
  as.password = "guest";
  const refused = await migrate(as.href).catch((error: unknown) => error);
  await admin.query(`DROP ROLE ${role}`);
  await admin.end();
  expect(refused).toBeInstanceOf(OperatorError);
  const name = as.pathname.slice(1);
  expect((refused as Error).message).toBe(
    `The role ${role} may not make tables in the database ${name}: make it the owner (ALTER DATABASE ${name} OWNER TO ${role}).`,
  );
});
