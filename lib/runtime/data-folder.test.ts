import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseEnv } from "#lib/base/env.ts";
import { openDataFolder, requireItsDatabase } from "./data-folder.ts";

let parent: string;
let dataDir: string;
const made: string[] = [];
const isRoot = process.getuid?.() === 0;

beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), "sluice-data-folder-"));
  chmodSync(parent, 0o711);
  dataDir = path.join(parent, "data");
});

afterEach(() => {
  for (const folder of [parent, ...made.splice(0)]) rmSync(folder, { recursive: true, force: true });
});

async function open(settings: Record<string, string> = {}): Promise<{ place: string; said: string[] }> {
  const said: string[] = [];
  const env = parseEnv({ DATA_DIR: dataDir, ...settings });
  const place = await openDataFolder(env, (sentence) => said.push(sentence));
  if (place !== dataDir) made.push(place);
  return { place, said };
}

test("DATA_DIR is created and holds everything where the database's account can reach it", async () => {
  expect(await open()).toEqual({ place: dataDir, said: [] });
  expect(existsSync(dataDir)).toBe(true);
});

test.skipIf(!isRoot)(
  "as root, all data of a new installation below a closed folder is in one other place",
  async () => {
    chmodSync(parent, 0o700);
    const { place, said } = await open();
    expect(place).toMatch(/^\/var\/lib\/sluice\/\w+$/);
    expect(said).toEqual([expect.stringContaining(`so all data is in ${place}.`)]);
    expect((await open()).place).toBe(place);
  },
);

test.skipIf(!isRoot)(
  "as root, existing data below a closed folder is not left behind for an empty database",
  async () => {
    mkdirSync(path.join(dataDir, "postgres"), { recursive: true });
    chmodSync(parent, 0o700);
    expect((await open()).place).toBe(dataDir);
  },
);

test("a note whose folder is missing is refused", async () => {
  mkdirSync(dataDir);
  writeFileSync(path.join(dataDir, "data-is-elsewhere.txt"), `${parent}/gone\n`);
  await expect(open()).rejects.toThrow(`says that the data is in ${parent}/gone, which does not exist`);
});

test("keys without the database that they belong to are refused", () => {
  mkdirSync(dataDir);
  writeFileSync(path.join(dataDir, "postgres.password"), "of an interrupted first start");
  expect(() => requireItsDatabase(dataDir)).not.toThrow();
  writeFileSync(path.join(dataDir, "auth-secret"), "secret");
  expect(() => requireItsDatabase(dataDir)).toThrow(/has keys .*, but no database/);
});
