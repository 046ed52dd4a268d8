import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { migrate, readFunctions, readMigrations } from "#lib/runtime/postgres/migrate.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { query } from "#tests/setup/database.ts";
import { makeDatabase } from "./backup-database.ts";

const url = () => process.env.DATABASE_URL ?? "";
let client: pg.Client;

beforeAll(async () => {
  client = await connect(url());
});

afterAll(() => client.end());

test("migrate applies each migration once when several processes start on an empty database", async () => {
  const empty = await makeDatabase();
  const applied = await Promise.all([migrate(empty), migrate(empty), migrate(empty)]);
  const migrations = await readMigrations();
  expect(applied.flat().sort()).toEqual(migrations.map(({ name }) => name));
  expect(await migrate(empty)).toEqual([]);
});

test("migrate leaves no lock behind in its connection, which a pooler may keep", async () => {
  const end = vi.spyOn(pg.Client.prototype, "end").mockResolvedValue(undefined);
  expect(await migrate(url())).toEqual([]);
  const kept = end.mock.contexts as pg.Client[];
  end.mockRestore();
  const { rows } = await client.query(
    `SELECT count(*)::int AS held FROM pg_locks
      WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  expect([rows, kept.length]).toEqual([[{ held: 0 }], 1]);
  await kept[0]?.end();
});

test("migrate refuses a database whose applied migration has another checksum", async () => {
  const migrations = await readMigrations();
  const empty = await makeDatabase();
  await migrate(empty);
  await query(empty, "UPDATE schema_migration SET checksum = 'x' WHERE name = $1", [migrations[0]?.name]);
  await expect(migrate(empty)).rejects.toThrow(/was changed after it had been applied/);
});

describe("functions and triggers", () => {
  const definitions = async (from: pg.Client) => {
    const { rows } = await from.query<{ name: string; definition: string }>(`
      SELECT 'function ' || proname AS name, pg_get_functiondef(oid) AS definition
        FROM pg_proc WHERE pronamespace = 'public'::regnamespace
      UNION ALL
      SELECT format('trigger %s on %s', tgname, tgrelid::regclass), pg_get_triggerdef(oid)
        FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2`);
    return rows;
  };

  test("each one of the database is defined exactly once in prisma/functions, and is equal to its definition", async () => {
    const { sql: script } = await readFunctions();
    const functions = script.matchAll(/^CREATE OR REPLACE FUNCTION (\w+)/gm);
    const triggers = script.matchAll(/^CREATE OR REPLACE TRIGGER (\w+)[\s\S]*?\bON (\w+)/gm);
    const inFiles = [
      ...[...functions].map(([, name]) => `function ${name}`),
      ...[...triggers].map(([, name, table]) => `trigger ${name} on ${table}`),
    ];
    const inDatabase = await definitions(client);
    expect(inFiles.sort()).toEqual(inDatabase.map(({ name }) => name));
    expect(script.match(/^CREATE\b/gm)).toHaveLength(inFiles.length);
    await client.query("BEGIN; SET LOCAL check_function_bodies = on");
    await client.query(script);
    expect(await definitions(client)).toEqual(inDatabase);
    await client.query("ROLLBACK");
  });

  test("are brought back to their definitions when the stored checksum is another one", async () => {
    const own = await makeDatabase();
    await migrate(own);
    const other = await connect(own);
    const wanted = await definitions(other);
    await other.query(`
      DROP FUNCTION uri_hmac;
      CREATE OR REPLACE FUNCTION uri_host(p_uri text) RETURNS text LANGUAGE sql AS 'SELECT p_uri';
      UPDATE schema_migration SET checksum = 'former' WHERE name = 'functions'`);
    expect(await migrate(own)).toEqual([]);
    expect(await definitions(other)).toEqual(wanted);
    await other.end();
  });
});

test("migrate refuses a database that is newer than the code", async () => {
  await client.query("INSERT INTO schema_migration VALUES ('99991231000000_from_the_future', 'x', now())");
  await expect(migrate(url())).rejects.toThrow(
    /which this Sluice does not have: start the version that made it/,
  );
  await client.query("DELETE FROM schema_migration WHERE checksum = 'x'");
});

test("migrate tells a role that may not create tables what to do", async () => {
  const role = `guest_${randomBytes(6).toString("hex")}`;
  const admin = await connect(inject("databaseServer").adminUrl);
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
    `The role ${role} may not create tables in the database ${name}: make it the owner (ALTER DATABASE ${name} OWNER TO ${role}).`,
  );
});

async function connect(to: string): Promise<pg.Client> {
  const connected = new pg.Client({ connectionString: to });
  await connected.connect();
  return connected;
}
