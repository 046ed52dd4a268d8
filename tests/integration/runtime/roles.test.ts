import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { migrate } from "#lib/runtime/postgres/migrate.ts";
import { appUrlOf, APP_ROLE, builtInRole, roleOf } from "#lib/runtime/postgres/roles.ts";
import { accessToOwn } from "#lib/runtime/postgres/access.ts";
import { query } from "#tests/setup/database.ts";

const url = () => process.env.DATABASE_URL ?? "";

describe("the application's role in the built-in database", () => {
  const migrateBuiltIn = () => migrate(url(), builtInRole(url()));

  beforeAll(migrateBuiltIn);

  const asApp = (text: string) => query(appUrlOf(url()), text);

  test("is no superuser, has no special rights and owns nothing", async () => {
    const [role] = await query(
      url(),
      `SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls AS special,
              (SELECT count(*)::int FROM pg_auth_members WHERE member = r.oid) AS groups,
              (SELECT count(*)::int FROM pg_shdepend WHERE refobjid = r.oid AND deptype = 'o') AS owned
         FROM pg_roles r WHERE rolname = $1`,
      [APP_ROLE],
    );
    expect(role).toEqual({ special: false, groups: 0, owned: 0 });
  });

  test("reads and writes the rows of every table, and only reads the list of migrations", async () => {
    const tables = await query<{ name: string; rights: string }>(
      url(),
      `SELECT c.relname AS name, concat_ws(' ', VARIADIC ARRAY(
                SELECT right_name FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER', 'REFERENCES']) right_name
                 WHERE has_table_privilege($1, c.oid, right_name))) AS rights
         FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')`,
      [APP_ROLE],
    );
    expect(tables.length).toBeGreaterThan(30);
    for (const { name, rights } of tables) {
      expect([name, rights]).toEqual([
        name,
        name === "_prisma_migrations" ? "SELECT" : "SELECT INSERT UPDATE DELETE",
      ]);
    }
    const [sequences] = await query(
      url(),
      `SELECT bool_and(has_sequence_privilege($1, oid, 'USAGE')) AS usable FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'S'`,
      [APP_ROLE],
    );
    expect(sequences).toEqual({ usable: true });
  });

  test.each([
    "CREATE TABLE planted (n int)",
    "ALTER TABLE post ADD COLUMN planted int",
    "DROP TABLE post",
    "TRUNCATE post",
    "DELETE FROM _prisma_migrations",
    "COPY post TO PROGRAM 'true'",
    "SELECT pg_read_file('postmaster.pid')",
    "CREATE ROLE planted",
    "SELECT * FROM pg_authid",
  ])("may not run %s", async (statement) => {
    await expect(asApp(statement)).rejects.toThrow(/permission denied|must be owner/);
  });

  test("gets rights on tables of later migrations, and none again that it has", async () => {
    await query(url(), "CREATE TABLE later (id serial PRIMARY KEY)");
    await migrateBuiltIn();
    await expect(asApp("INSERT INTO later DEFAULT VALUES")).resolves.toEqual([]);
    const version = () => query(url(), "SELECT xmin::text FROM pg_class WHERE relname = 'later'");
    const before = await version();
    await migrateBuiltIn();
    expect(await version()).toEqual(before);
  });

  test("has another password than the owner, which a change of the owner's replaces", async () => {
    expect(new URL(appUrlOf(url())).password).not.toBe(new URL(url()).password);
    await query(url(), `ALTER ROLE ${APP_ROLE} PASSWORD 'forgotten'`);
    await expect(asApp("SELECT 1")).rejects.toThrow(/password/);
    await migrateBuiltIn();
    await expect(asApp("SELECT 1")).resolves.toHaveLength(1);
  });

  test("is there with its rights, or not at all, after a start that was killed", async () => {
    const name = `killed_${randomBytes(4).toString("hex")}`;
    const appUrl = new URL(appUrlOf(url()));
    appUrl.username = name;
    const role = { name, url: appUrl.href };
    onTestFinished(async () => {
      await query(url(), `DROP OWNED BY ${name}`);
      await query(url(), `DROP ROLE ${name}`);
    });
    const holder = new pg.Client({ connectionString: url() });
    await holder.connect();
    // Granting rights on a table waits for a change of its rights.
    await holder.query("BEGIN; GRANT SELECT ON post TO pg_monitor");
    const killed = expect(migrate(url(), role)).rejects.toThrow(/terminat/);
    // PostgreSQL shows the first 1024 bytes of a query: not the role at its end.
    const kill = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                   WHERE datname = current_database() AND query LIKE 'GRANT%' AND wait_event_type = 'Lock'`;
    await expect.poll(() => query(url(), kill)).toHaveLength(1);
    await killed;
    await holder.query("ROLLBACK");
    await holder.end();
    expect(await query(url(), "SELECT FROM pg_roles WHERE rolname = $1", [name])).toEqual([]);
    await migrate(url(), role);
    expect(await query(appUrl.href, "SELECT count(*)::int AS n FROM post")).toEqual([{ n: 0 }]);
  });
});

describe("with two roles in a PostgreSQL of the operator", () => {
  const suffix = randomBytes(4).toString("hex");
  const database = `own_${suffix}`;
  const of = (role: string) => {
    const found = new URL(inject("databaseServer").adminUrl);
    Object.assign(found, { username: role, password: "secret", pathname: `/${database}` });
    return found.href;
  };
  const [owner, app] = [`owner_${suffix}`, `app_${suffix}`];
  const admin = (text: string) => query(inject("databaseServer").adminUrl, text);

  beforeAll(async () => {
    for (const role of [owner, app]) await admin(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
    await admin(`CREATE DATABASE ${database} OWNER ${owner} TEMPLATE template0 ENCODING 'UTF8'`);
  });

  afterAll(async () => {
    await admin(`DROP DATABASE ${database} WITH (FORCE)`);
    for (const role of [owner, app]) await admin(`DROP ROLE ${role}`);
  });

  test("DIRECT_URL names the owner, who migrates and lets the role of DATABASE_URL read and write rows", async () => {
    const access = await accessToOwn({ DATABASE_URL: of(app), DIRECT_URL: of(owner) });
    expect(access).toEqual({ ownerUrl: of(owner), url: of(app), appRole: { name: app, url: null } });
    await migrate(of(owner), { name: app, url: null });
    expect(await query(of(app), "SELECT count(*)::int AS n FROM post")).toEqual([{ n: 0 }]);
    await expect(query(of(app), "DROP TABLE post")).rejects.toThrow(/must be owner/);
  });

  test("without DIRECT_URL one role does both", async () => {
    expect(await accessToOwn({ DATABASE_URL: of(owner), DIRECT_URL: undefined })).toEqual({
      ownerUrl: of(owner),
      url: of(owner),
      appRole: null,
    });
    await expect(migrate(of(owner))).resolves.toEqual([]);
  });

  test("a role that cannot connect is named with the setting to check", async () => {
    await expect(roleOf(of("nobody"))).rejects.toThrow(/check DATABASE_URL/);
  });
});
