import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { makeFolder } from "#tests/setup/folder.ts";
import { requireItsDatabase } from "./access.ts";
import { explain } from "./cluster.ts";
import { preparePlace } from "./place.ts";

let parent: string;
let dataDir: string;

beforeEach(() => {
  parent = makeFolder();
  dataDir = path.join(parent, "data");
  mkdirSync(dataDir);
});

const silent = () => undefined;

test("the database is in DATA_DIR where its account can reach it", async () => {
  expect((await preparePlace(dataDir, silent)).data).toBe(path.join(dataDir, "postgres"));
});

test.skipIf(process.getuid?.() !== 0)(
  "as root, a new database below a closed folder is a link, and an existing one stays",
  async () => {
    chmodSync(parent, 0o700);
    const said: string[] = [];
    const { data } = await preparePlace(dataDir, (sentence) => said.push(sentence));
    onTestFinished(() => rmSync(path.dirname(data), { recursive: true }));
    expect(data).toMatch(/^\/var\/lib\/sluice\/\w+\/postgres$/);
    expect(said).toEqual([expect.stringContaining(`a link into ${path.dirname(data)}.`)]);
    expect((await preparePlace(dataDir, silent)).data).toBe(data);
    rmSync(path.join(dataDir, "postgres"));
    mkdirSync(path.join(dataDir, "postgres"));
    await expect(preparePlace(dataDir, silent)).rejects.toThrow(/cannot reach/);
  },
);

test("keys without the database that they belong to are refused", () => {
  writeFileSync(path.join(dataDir, "postgres.password"), "of an interrupted first start");
  expect(() => requireItsDatabase(dataDir)).not.toThrow();
  writeFileSync(path.join(dataDir, "auth-secret"), "secret");
  expect(() => requireItsDatabase(dataDir)).toThrow(/has keys .*, but no database/);
});

test("a write that was cut short is told as a full disk", () => {
  const complaint = 'FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes at block 9';
  expect(explain(complaint, "initdb ended with 1").message).toMatch(/^The disk is full/);
});
