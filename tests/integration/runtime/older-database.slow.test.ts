import { afterAll, expect, test } from "vitest";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#lib/runtime/postgres/embedded.ts";
import { query } from "#tests/setup/database.ts";
import { makeFolder } from "#tests/setup/folder.ts";
import { sluice } from "./command-process.ts";

/* Commands of newer sources on the database of an older version, beside its service and without it. */

const SENTENCE = "The database is older than this version: stop the service and start this version first.\n";
const createAccount = ["create-account", "--email", "ana@example.org"];

const dataDir = makeFolder(afterAll);
let service: EmbeddedPostgres | undefined;
afterAll(() => service?.stop());

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

const ask = <T extends object>(statement: string) => query<T>(service?.url ?? "", statement);
const checksum = async () =>
  (await ask<{ checksum: string }>("SELECT checksum FROM schema_migration WHERE name = 'functions'"))[0]
    ?.checksum;

test("commands beside a service leave its older database as it is", { timeout: 240_000 }, async () => {
  expect(await sluice(["migrate"], settings())).toMatchObject({ code: 0 });
  await startService();
  await ask("UPDATE schema_migration SET checksum = 'older' WHERE name = 'functions'");
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
  expect(await sluice(createAccount, { DATA_DIR: makeFolder() })).toMatchObject({ code: 0 });
});
