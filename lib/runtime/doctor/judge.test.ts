import { describe, expect, test } from "vitest";
import type { DatabaseFacts, Facts } from "./facts.ts";
import { describeFindings, judge } from "./judge.ts";

const GB = 2 ** 30;
const now = Date.parse("2026-11-24T12:00:00Z");
const database: DatabaseFacts = {
  major: 17,
  forbidden: [],
  isReadOnly: false,
  hasPooler: false,
  missingMigrations: [],
  unknownMigrations: [],
  hasFunctions: true,
  unreadable: null,
  workerAgeSeconds: 8,
};
const healthy: Facts = {
  settings: {
    given: ["PUBLIC_URL"],
    publicUrl: "https://sluice.example",
    hasPublicUrl: true,
    host: "127.0.0.1",
    hasDirectUrl: false,
    hasBackups: true,
  },
  database,
  clock: { ofDatabase: 0.1, ofNetwork: -0.4 },
  network: { host: "mastodon.example", problem: null },
  mail: { host: "mail.example:465", problem: null },
  disk: { free: 20 * GB, size: 40 * GB },
  memory: 2000,
  backup: { folder: "/b", success: { at: "2026-11-24T03:00:00Z", bytes: 1 }, failure: null, future: [] },
  publicAddress: { version: "1.0.0" },
  version: "1.0.0",
  now,
  browser: { origin: "https://sluice.example", network: "192.0.2.0/24", hasUnknownProxy: false },
};
const withDatabase = (change: Partial<DatabaseFacts>): Partial<Facts> => ({
  database: { ...database, ...change },
});

/** Lines that are not ok. */
function complaints(change: Partial<Facts>): string[] {
  return judge({ ...healthy, ...change })
    .filter(({ state }) => state !== "ok")
    .map(({ check, state }) => `${state} ${check}`);
}

test("a healthy installation has an ok line for each check", () => {
  expect(complaints({})).toEqual([]);
  expect(describeFindings(judge(healthy))).toContain("ok    database        PostgreSQL 17.");
});

describe("a broken installation has exactly its line, with advice", () => {
  const settings = healthy.settings;
  const failure = { at: "2026-11-24T04:00:00Z", reason: "There is no room." };
  const backup = { folder: "/b", success: null, failure: null, future: [] };
  const cases: [string, Partial<Facts>, string[]][] = [
    [
      "a browser that uses another address",
      { browser: { origin: "http://sluice.example", network: null, hasUnknownProxy: false } },
      ["warn address in the browser"],
    ],
    [
      "a proxy that is not declared",
      { browser: { origin: null, network: null, hasUnknownProxy: true } },
      ["warn proxy headers"],
    ],
    [
      "a mail server that refuses the password",
      { mail: { host: "mail.example:465", problem: "EAUTH 535" } },
      ["fail e-mail"],
    ],
    [
      "a network address without PUBLIC_URL",
      { settings: { ...settings, host: "0.0.0.0", hasPublicUrl: false } },
      ["warn settings"],
    ],
    ["PostgreSQL 14", withDatabase({ major: 14 }), ["fail database"]],
    ["a read-only database", withDatabase({ isReadOnly: true }), ["fail database"]],
    ["a table without rights", withDatabase({ forbidden: ["post"] }), ["fail rights"]],
    ["a pooler without DIRECT_URL", withDatabase({ hasPooler: true }), ["warn pooler"]],
    ["a missing migration", withDatabase({ missingMigrations: ["2_b"] }), ["fail schema"]],
    ["a newer database", withDatabase({ unknownMigrations: ["3_c"] }), ["fail schema"]],
    ["outdated functions", withDatabase({ hasFunctions: false }), ["fail schema"]],
    ["another key", withDatabase({ unreadable: "1 token of another server" }), ["fail encryption key"]],
    ["a worker that stands still", withDatabase({ workerAgeSeconds: 301 }), ["warn worker"]],
    [
      "a clock that is 6 s ahead of the database",
      { clock: { ofDatabase: 6, ofNetwork: null } },
      ["warn clock"],
    ],
    ["a clock that is 2 min late", { clock: { ofDatabase: null, ofNetwork: -120 } }, ["fail clock"]],
    [
      "no name resolution",
      { network: { host: "m.example", problem: "m.example has no address." } },
      ["fail network"],
    ],
    ["a disk with 1 GB left", { disk: { free: GB, size: 10 * GB } }, ["warn disk"]],
    ["a full disk", { disk: { free: 0.1 * GB, size: 10 * GB } }, ["fail disk"]],
    ["512 MB of memory", { memory: 512 }, ["fail memory"]],
    ["no backups", { backup: null, settings: { ...settings, hasBackups: false } }, ["warn backup"]],
    ["a failed backup", { backup: { ...backup, failure } }, ["fail backup"]],
    [
      "an old backup",
      { backup: { ...backup, success: { at: "2026-11-22T03:00:00Z", bytes: 1 } } },
      ["warn backup"],
    ],
    [
      "another program at PUBLIC_URL",
      { publicAddress: { problem: "another program answers." } },
      ["warn public address"],
    ],
    ["an older version at PUBLIC_URL", { publicAddress: { version: "0.9.0" } }, ["warn public address"]],
    [
      "a public address without HTTPS",
      { settings: { ...settings, publicUrl: "http://sluice.example" }, browser: null },
      ["warn public address"],
    ],
  ];
  test.each(cases)("%s", (_name, change, expected) => {
    expect(complaints(change)).toEqual(expected);
    const bad = judge({ ...healthy, ...change }).filter(({ state }) => state !== "ok");
    expect(bad.map(({ advice }) => advice)).not.toContain("");
  });

  test("a database that is away fails, and its other checks are not made", () => {
    expect(complaints({ database: { problem: "The database cannot be reached." } })).toEqual([
      "fail database",
      "warn rights",
      "warn pooler",
      "warn schema",
      "warn encryption key",
      "warn worker",
    ]);
  });
});
