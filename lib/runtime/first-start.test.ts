import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkDataFolder, endFirstStart } from "./first-start.ts";

let folder: string;

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
  expect(() => checkDataFolder(folder)).not.toThrow();
  expect(readdirSync(folder)).not.toContain("first-start");
});

test("a database without keys passes, as after a restore: new ones are made", () => {
  put("postgres/PG_VERSION", "postgres.password");
  expect(() => checkDataFolder(folder)).not.toThrow();
  expect(readdirSync(folder)).not.toContain("first-start");
});

test.each([["postgres.password"], ["auth-secret", "encryption-key"], ["encryption-key"]])(
  "secrets without a database are refused: %s",
  (...names) => {
    put(...names);
    expect(() => checkDataFolder(folder)).toThrow(`has ${names.join(", ")}, but no database`);
    expect(readdirSync(folder).sort()).toEqual([...names].sort());
  },
);

test("an interrupted first start can be repeated until it is complete", () => {
  checkDataFolder(folder);
  put("postgres.password");
  expect(() => checkDataFolder(folder)).not.toThrow();
  put("postgres/PG_VERSION");
  expect(() => checkDataFolder(folder)).not.toThrow();
  put("auth-secret", "encryption-key");
  endFirstStart(folder);
  rmSync(path.join(folder, "postgres"), { recursive: true });
  expect(() => checkDataFolder(folder)).toThrow("no database");
});
