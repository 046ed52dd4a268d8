import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect as connectTo, createServer, type AddressInfo, type Socket } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { migrate, readMigrations } from "#lib/runtime/migrate.ts";
import { OperatorError } from "#lib/runtime/operator-error.ts";
import { preferSettings } from "#lib/runtime/planner-settings.ts";

const url = () => process.env.DATABASE_URL ?? "";
let client: pg.Client;

beforeAll(async () => {
  client = await connect(url());
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

test("several at once bring an empty database up to date, each migration applied by one of them", async () => {
  await withDatabase(async (empty) => {
    const applied = await Promise.all([migrate(empty), migrate(empty), migrate(empty)]);
    const names = (await readMigrations()).map(({ name }) => name);
    expect(applied.flat().sort()).toEqual(names);
    expect(await migrate(empty)).toEqual([]);
  });
});

test("a pooler that keeps the connection keeps no lock with it", async () => {
  const pooler = await startPooler(url());
  try {
    expect(await migrate(pooler.url)).toEqual([]);
    const { rows } = await client.query(
      `SELECT count(*)::int AS held FROM pg_locks
        WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    expect(rows).toEqual([{ held: 0 }]);
    expect(pooler.kept()).toBe(1);
  } finally {
    await pooler.close();
  }
});

test("a script that was released stays as it is: databases have its checksum, and refuse another", async () => {
  const migrations = await readMigrations();
  await expect(migrations.map(({ name, checksum }) => `${checksum}  ${name}\n`).join("")).toMatchFileSnapshot(
    "migrations.sha256.txt",
  );
  await withDatabase(async (empty) => {
    await migrate(empty);
    const other = await connect(empty);
    await other.query("UPDATE _prisma_migrations SET checksum = 'x' WHERE migration_name = $1", [
      migrations[0]?.name,
    ]);
    await other.end();
    await expect(migrate(empty)).rejects.toThrow(/was changed after it had been applied/);
  });
});

test("a database that was made while two scripts stood changed is brought to where all are", async () => {
  await withDatabase(async (early) => {
    await migrate(early);
    const other = await connect(early);
    const settle = () =>
      other.query("SELECT pg_get_functiondef(oid) FROM pg_proc WHERE proname = 'queue_settle'");
    const { rows: wanted } = await settle();
    await other.query(`
      DELETE FROM _prisma_migrations WHERE migration_name = '20261122053000_settle_own_lease';
      UPDATE _prisma_migrations SET checksum = 'e593582fdf92aed03d5c51d8f4de496b01a014643ee6592fc925da68b4b232fa'
       WHERE migration_name = '20261122042000_settle_by_post';
      UPDATE _prisma_migrations SET checksum = '681200b7ed702b236fc262e0a0c7387b9081fcf2910923c3e904cd9d7c56164a'
       WHERE migration_name = '20261122042500_random_draw'`);
    expect(await migrate(early)).toEqual(["20261122053000_settle_own_lease"]);
    expect((await settle()).rows).toEqual(wanted);
    expect(await migrate(early)).toEqual([]);
    await other.end();
  });
});

test("a database that is newer than the code is refused", async () => {
  await client.query(
    "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '99991231000000_from_the_future', now())",
  );
  await expect(migrate(url())).rejects.toThrow(/newer than this Sluice/);
  await client.query("DELETE FROM _prisma_migrations WHERE id = 'x'");
});

test("a database is told what nobody has chosen for it, once, and nothing that somebody has", async () => {
  await withDatabase(async (own) => {
    const chosen = { geqo_seed: "0.5", work_mem: "64kB" };
    const first = await connect(own);
    const before = await first.query("SHOW work_mem");
    await first.query("SET work_mem = '16MB'");
    expect(await preferSettings(first, chosen)).toEqual(["geqo_seed"]);
    await first.end();
    const second = await connect(own);
    expect((await second.query("SHOW geqo_seed")).rows).toEqual([{ geqo_seed: "0.5" }]);
    expect((await second.query("SHOW work_mem")).rows).toEqual(before.rows);
    expect(await preferSettings(second, { geqo_seed: "0.7" })).toEqual([]);
    await second.end();
  });
});

test("a database of somebody else is left as it is", async () => {
  const role = `guest_${randomBytes(6).toString("hex")}`;
  await client.query(`CREATE ROLE ${role}`);
  await client.query(`SET ROLE ${role}`);
  try {
    expect(await preferSettings(client, { geqo_seed: "0.5" })).toEqual([]);
  } finally {
    await client.query("RESET ROLE");
    await client.query(`DROP ROLE ${role}`);
  }
});

test("a role that may not make tables is told what to do", async () => {
  const role = `guest_${randomBytes(6).toString("hex")}`;
  const admin = await connect(inject("adminUrl"));
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

async function connect(to: string): Promise<pg.Client> {
  const connected = new pg.Client({ connectionString: to });
  await connected.connect();
  return connected;
}

/** Gives the work an empty database of its own. */
async function withDatabase(work: (url: string) => Promise<void>): Promise<void> {
  const name = `empty_${randomBytes(6).toString("hex")}`;
  const admin = await connect(inject("adminUrl"));
  await admin.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  const own = new URL(inject("adminUrl"));
  own.pathname = `/${name}`;
  try {
    await work(own.href);
  } finally {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  }
}

/** Stands between a client and the database as a pooler does: when the client goes, the database is not told. */
async function startPooler(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const servers = new Set<Socket>();
  const listener = createServer((from) => {
    const server = connectTo(Number(target.port), target.hostname);
    servers.add(server);
    from.on("data", (chunk) => {
      // "X" is goodbye.
      if (chunk[0] !== 0x58) server.write(chunk);
    });
    server.on("data", (chunk) => from.write(chunk));
    for (const socket of [from, server]) socket.on("error", () => undefined);
    server.on("close", () => servers.delete(server));
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const through = new URL(databaseUrl);
  through.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    url: through.href,
    /** Connections the database still has. */
    kept: () => servers.size,
    close: async () => {
      for (const server of servers) server.destroy();
      listener.close();
      await once(listener, "close");
    },
  };
}
