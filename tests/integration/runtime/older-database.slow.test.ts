import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#lib/runtime/postgres/embedded.ts";
import {
  applyMigration,
  lockMigrations,
  missingMigrations,
  readMigrations,
} from "#lib/runtime/postgres/migrate.ts";
import { makeDataDir, sluice } from "./command-process.ts";

/* Commands of newer sources on the database of an older version, beside its service and without it. */

const SENTENCE = "The sources have changed: stop the service and start it first.\n";
const createAccount = ["create-account", "--email", "ana@example.org"];

let dataDir: string;
let service: EmbeddedPostgres | undefined;
beforeAll(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), "sluice-older-"));
  // As root, the database runs under another account.
  chmodSync(dataDir, 0o711);
});
afterAll(async () => {
  await service?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const settings = () => ({
  DATA_DIR: dataDir,
  AUTH_SECRET: "a".repeat(40),
  ENCRYPTION_KEY: "b".repeat(40),
});

/** Holds the folder as a service does. */
async function startService(): Promise<void> {
  service = await startEmbeddedPostgres({ dataDir, durable: false });
}

async function stopService(): Promise<void> {
  await service?.stop();
  service = undefined;
}

async function onDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: service?.url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const applied = () =>
  onDatabase(async (client) => (await client.query("SELECT FROM _prisma_migrations")).rowCount ?? 0);

test("commands beside a service leave its older database as it is", { timeout: 240_000 }, async () => {
  const former = (await readMigrations()).slice(0, -1);
  await startService();
  await onDatabase(async (client) => {
    await client.query("BEGIN");
    await lockMigrations(client);
    await missingMigrations(client, former);
    for (const migration of former) await applyMigration(client, migration);
    await client.query("COMMIT");
  });
  expect(await sluice(createAccount, settings())).toEqual({ code: 1, output: SENTENCE });
  expect(await sluice(["migrate"], settings())).toEqual({
    code: 1,
    output: "The service runs: stop it first.\n",
  });
  expect(await applied()).toBe(former.length);
});

test(
  "commands do not migrate an older database without a service; migrate does",
  { timeout: 240_000 },
  async () => {
    await stopService();
    for (const command of [createAccount, ["rotate-encryption-key", "--discard"]])
      expect(await sluice(command, settings())).toEqual({ code: 1, output: SENTENCE });
    expect(await sluice(["migrate"], settings())).toMatchObject({
      code: 0,
      output: expect.stringContaining("migrations applied: 1.") as string,
    });
    expect(await sluice(createAccount, settings())).toMatchObject({ code: 0 });
    await startService();
    expect(await applied()).toBe((await readMigrations()).length);
  },
);

test("a changed function counts as changed sources", { timeout: 240_000 }, async () => {
  await onDatabase((client) => client.query("UPDATE installation SET functions_checksum = 'older'"));
  expect(await sluice(createAccount, settings())).toEqual({ code: 1, output: SENTENCE });
});

test("the first command makes a database where nothing is", { timeout: 240_000 }, async () => {
  expect(await sluice(createAccount, { DATA_DIR: makeDataDir() })).toMatchObject({ code: 0 });
});
