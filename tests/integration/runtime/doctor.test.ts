import { expect, test } from "vitest";
import { GET as runDoctor } from "#app/api/v1/doctor/route.ts";
import { db } from "#lib/db.ts";
import { seal } from "#lib/seal.ts";
import type { Doctor, Finding } from "#lib/runtime/doctor/schema.ts";
import { readDatabase } from "#lib/runtime/doctor/read-facts.ts";
import { makeMember } from "#tests/setup/factories.ts";
import { call, sessionHeaders } from "#tests/setup/request.ts";
import { makeDataDir, sluice } from "./command-process.ts";

const KEY = "k".repeat(43);
const url = process.env.DATABASE_URL ?? "";
const read = (settings: { ENCRYPTION_KEY?: string } = {}) =>
  readDatabase(url, { ENCRYPTION_KEY: KEY, ...settings }, makeDataDir());

test("the database of this version has no missing rights, migrations or functions", async () => {
  expect(await read()).toMatchObject({
    forbidden: [],
    isReadOnly: false,
    hasPooler: false,
    missingMigrations: [],
    unknownMigrations: [],
    hasFunctions: true,
    unreadable: null,
  });
});

test("a key that does not decrypt a stored token is named by the kind of value", async () => {
  await db.host_state.create({
    data: { host: "a.example", token: Buffer.from(seal(KEY, "a.example", "secret token")) },
  });
  expect(await read()).toMatchObject({ unreadable: null });
  expect(await read({ ENCRYPTION_KEY: "o".repeat(43) })).toMatchObject({
    unreadable: "1 token of another server",
  });
});

test("unknown and missing migrations and outdated functions are found", async () => {
  await db.$executeRaw`UPDATE installation SET functions_checksum = 'old'`;
  expect(await read()).toMatchObject({ hasFunctions: false });
  await db.$executeRaw`UPDATE _prisma_migrations SET migration_name = '9_later' WHERE migration_name LIKE '%_reasons_and_pools'`;
  const facts = await read();
  expect(facts).toMatchObject({ unknownMigrations: ["9_later"], hasFunctions: false });
  expect("missingMigrations" in facts && facts.missingMigrations[0]).toMatch(/_reasons_and_pools$/);
});

test("the command explains a database that is away, prints no secret, and ends with 1", async () => {
  const secrets = { AUTH_SECRET: "auth-secret-".repeat(4), ENCRYPTION_KEY: "key-secret-".repeat(4) };
  const { code, output } = await sluice(["doctor", "--json"], {
    ...secrets,
    DATA_DIR: makeDataDir(),
    DATABASE_URL: "postgresql://sluice:pass-secret@127.0.0.1:1/nothing",
    DEFAULT_INSTANCE: "nowhere.invalid",
    PUBLIC_URL: "http://127.0.0.1:1",
  });
  const findings = JSON.parse(output.slice(output.indexOf("["))) as Finding[];
  const stateOf = (name: string) => findings.find(({ check }) => check === name)?.state;
  expect([code, stateOf("database"), stateOf("network"), stateOf("public address")]).toEqual([
    1,
    "fail",
    "fail",
    "warn",
  ]);
  expect(output).toContain("DATABASE_URL");
  expect(output).not.toMatch(/-secret/);
});

test("the page has the checks of the command and those of the browser, and shows no secret", async () => {
  const { id } = await makeMember();
  const headers = { ...(await sessionHeaders({ id })), "x-forwarded-for": "unknown" };
  const path = "/api/v1/doctor?origin=https%3A%2F%2Fother.example";
  const { status, json, text } = await call<Doctor>(runDoctor, { path, headers });
  const stateOf = (name: string) => json.items.find(({ check }) => check === name)?.state;
  expect([status, stateOf("database"), stateOf("address in the browser"), stateOf("proxy headers")]).toEqual([
    200,
    "ok",
    "warn",
    "warn",
  ]);
  const { password } = new URL(url);
  for (const secret of [process.env.AUTH_SECRET, process.env.ENCRYPTION_KEY, password])
    if (secret) expect(text).not.toContain(secret);
});
