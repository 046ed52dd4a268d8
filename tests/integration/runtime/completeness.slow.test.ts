import { randomBytes } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { copyTemplate, query } from "#tests/setup/database.ts";
import { makeDataDir, start } from "./command-process.ts";

/* A start on half of an installation. */

let dataDir: string;

beforeEach(() => {
  dataDir = makeDataDir();
});

const put = (...names: string[]) => {
  for (const name of names) writeFileSync(path.join(dataDir, name), `${randomBytes(32).toString("hex")}\n`);
};

async function refusalOf(
  [file = "", ...args]: readonly string[],
  settings: Record<string, string> = {},
): Promise<string> {
  const { code, output } = await start(file, args, { DATA_DIR: dataDir, PORT: "0", ...settings }).ended;
  expect(code).toBe(1);
  return output;
}

const START = ["lib/runtime/supervisor/start.ts"];
const COMMAND = ["lib/runtime/cli/cli.ts", "create-account", "--email", "ana@example.org"];

describe("with a PostgreSQL of the operator", { timeout: 60_000 }, () => {
  test("secrets of another database are not used for an empty one, which stays empty", async () => {
    const { adminUrl } = inject("databaseServer");
    const name = `empty_${randomBytes(4).toString("hex")}`;
    await query(adminUrl, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
    const url = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href;
    try {
      put("auth-secret", "encryption-key");
      for (const words of [START, COMMAND]) {
        expect(await refusalOf(words, { DATABASE_URL: url })).toContain(
          "has auth-secret and encryption-key, but the database of DATABASE_URL is empty",
        );
      }
      expect(await query(url, "SELECT FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
    } finally {
      await query(adminUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    }
  });

  test("tokens that no key decrypts, as after a restore, keep no command and no start away", async () => {
    const { url, drop } = await copyTemplate(inject("databaseServer"));
    try {
      await query(url, "INSERT INTO host_state (host, token) VALUES ('remote.example', 'encrypted')");
      const [file = "", ...args] = COMMAND;
      const { code } = await start(file, args, { DATA_DIR: dataDir, DATABASE_URL: url }).ended;
      expect(code).toBe(0);
      expect(readdirSync(dataDir)).toContain("encryption-key");
    } finally {
      await drop();
    }
  });
});
