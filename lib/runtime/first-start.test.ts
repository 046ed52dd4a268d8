import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkDataFolder, endFirstStart } from "./first-start.ts";

let folder: string;
const generated = { AUTH_SECRET: undefined, ENCRYPTION_KEY: undefined };
const given = { AUTH_SECRET: "of the environment", ENCRYPTION_KEY: "of the environment" };

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "sluice-first-start-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

function put(...names: string[]): void {
  for (const name of names) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), "content\n");
  }
}

test("a complete folder passes", () => {
  put("postgres/PG_VERSION", "postgres.password", "auth-secret", "encryption-key");
  expect(() => checkDataFolder(folder, generated)).not.toThrow();
  expect(readdirSync(folder)).not.toContain("first-start");
});

test("secrets of the environment need no files", () => {
  put("postgres/PG_VERSION", "postgres.password");
  expect(() => checkDataFolder(folder, given)).not.toThrow();
});

test.each(["postgres.password", "auth-secret", "encryption-key"])(
  "a database without %s is refused by the name of the missing file",
  (missing) => {
    put("postgres/PG_VERSION", "postgres.password", "auth-secret", "encryption-key");
    rmSync(path.join(folder, missing));
    expect(() => checkDataFolder(folder, generated)).toThrow(`has a database, but not ${missing} (`);
  },
);

test.each([["postgres.password"], ["auth-secret", "encryption-key"], ["encryption-key"]])(
  "secrets without a database are refused: %s",
  (...names) => {
    put(...names);
    expect(() => checkDataFolder(folder, generated)).toThrow(`has ${names.join(", ")}, but no database`);
    expect(() => checkDataFolder(folder, given)).toThrow("no database");
    expect(readdirSync(folder).sort()).toEqual([...names].sort());
  },
);

test("an interrupted first start can be repeated until it is complete", () => {
  checkDataFolder(folder, generated);
  put("postgres.password");
  expect(() => checkDataFolder(folder, generated)).not.toThrow();
  put("postgres/PG_VERSION");
  expect(() => checkDataFolder(folder, generated)).not.toThrow();
  put("auth-secret", "encryption-key");
  endFirstStart(folder);
  rmSync(path.join(folder, "postgres"), { recursive: true });
  expect(() => checkDataFolder(folder, generated)).toThrow("no database");
});
