import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#lib/runtime/postgres/embedded.ts";
import { makeDataDir, sluice } from "./command-process.ts";

/* Commands of newer sources on the database of an older version, beside its service and without it. */

const SENTENCE = "The database is older than this version: stop the service and start this version first.\n";
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

const checksum = () =>
  onDatabase(
    async (client) =>
      (
        await client.query<{ checksum: string }>(
          "SELECT checksum FROM schema_migration WHERE name = 'functions'",
        )
      ).rows[0]?.checksum,
  );

test("commands beside a service leave its older database as it is", { timeout: 240_000 }, async () => {
  expect(await sluice(["migrate"], settings())).toMatchObject({ code: 0 });
  await startService();
  await onDatabase((client) =>
    client.query("UPDATE schema_migration SET checksum = 'older' WHERE name = 'functions'"),
  );
  expect(await sluice(createAccount, settings())).toEqual({ code: 1, output: SENTENCE });
  expect(await sluice(["migrate"], settings())).toEqual({
    code: 1,
    output: "The service runs: stop it first.\n",
  });
  expect(await checksum()).toBe("older");
});

test(
  "commands do not migrate an older database without a service; migrate does",
  { timeout: 240_000 },
  async () => {
    await stopService();
    expect(await sluice(createAccount, settings())).toEqual({ code: 1, output: SENTENCE });
    expect(await sluice(["migrate"], settings())).toMatchObject({ code: 0 });
    expect(await sluice(createAccount, settings())).toMatchObject({ code: 0 });
    await startService();
    expect(await checksum()).toMatch(/^[0-9a-f]{64}$/);
  },
);

test("the first command makes a database where nothing is", { timeout: 240_000 }, async () => {
  expect(await sluice(createAccount, { DATA_DIR: makeDataDir() })).toMatchObject({ code: 0 });
});
