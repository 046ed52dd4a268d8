import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { db } from "#lib/db.ts";
import type * as envModule from "#lib/env.ts";
import { hostToken, storeHostToken } from "#lib/hosts/host-token.ts";
import { rotateEncryptionKey, settleEncryptionKey } from "#lib/runtime/encryption-key.ts";
import { lockDataDir } from "#lib/runtime/lock/data-lock.ts";
import { makeDataDir, sluice } from "./command-process.ts";

const [OLD, NEW] = ["o".repeat(43), "n".repeat(43)];
const settings = vi.hoisted(() => ({ ENCRYPTION_KEY: "" }));

vi.mock("#lib/env.ts", async (original) => {
  const real = await original<typeof envModule>();
  return { ...real, env: () => ({ ...real.env(), ...settings }) };
});

const url = () => process.env.DATABASE_URL ?? "";
const start = (key: string | undefined, dataDir = makeDataDir()) =>
  settleEncryptionKey(url(), dataDir, { ENCRYPTION_KEY: key });
const rotate = (from: string | undefined, options = { mayDiscard: false }) =>
  rotateEncryptionKey(url(), { from, to: NEW }, options);

async function addToken(host = "a.example") {
  await storeHostToken(host, "token of a");
}

beforeEach(async () => {
  settings.ENCRYPTION_KEY = OLD;
  await db.host_state.deleteMany();
});

describe("a start", () => {
  test("makes the key of a database that needs none yet, and keeps it", async () => {
    const dataDir = makeDataDir();
    await start(undefined, dataDir);
    const key = readFileSync(path.join(dataDir, "encryption-key"), "utf8");
    settings.ENCRYPTION_KEY = key.trim();
    await addToken();
    await start(undefined, dataDir);
    expect(readFileSync(path.join(dataDir, "encryption-key"), "utf8")).toBe(key);
  });

  test("takes another key while the database has nothing that needs the former one", async () => {
    await start(OLD);
    await expect(start(NEW)).resolves.toBeUndefined();
    settings.ENCRYPTION_KEY = NEW;
    await addToken();
    await expect(start(OLD)).rejects.toThrow("1 token of another server");
  });

  test("is refused without the key that encrypted a token", async () => {
    await addToken();
    await start(OLD);
    await expect(start(NEW)).rejects.toThrow(
      "ENCRYPTION_KEY is another key than the one that encrypted 1 token of another server: put that key back",
    );
    const dataDir = makeDataDir();
    await expect(start(undefined, dataDir)).rejects.toThrow(
      `The database has 1 token of another server, but ${dataDir} has no encryption-key: put that file back`,
    );
    expect(existsSync(path.join(dataDir, "encryption-key"))).toBe(false);
    await expect(start(OLD)).resolves.toBeUndefined();
  });
});

describe("a rotation of the encryption key", () => {
  test("encrypts everything again", async () => {
    await addToken();
    await rotate(OLD);
    settings.ENCRYPTION_KEY = NEW;
    await start(NEW);
    expect(await hostToken("a.example")).toBe("token of a");
    await expect(start(OLD)).rejects.toThrow("another key");
  });

  test("can be repeated for values that were written with the former key since", async () => {
    await addToken();
    await start(OLD);
    expect(await rotate(OLD)).toMatchObject({ rotated: { length: 1 }, current: [], discarded: [] });
    await addToken("b.example");
    await expect(start(NEW)).rejects.toThrow("1 token of another server");
    expect(await rotate(OLD)).toMatchObject({ rotated: { length: 1 }, current: { length: 1 } });
    await expect(start(NEW)).resolves.toBeUndefined();
  });

  test("changes nothing when neither key decrypts a value, unless it may discard that", async () => {
    await addToken("b.example");
    await start(OLD);
    settings.ENCRYPTION_KEY = "x".repeat(43);
    await addToken();
    const before = await db.host_state.findMany();
    await expect(rotate(OLD)).rejects.toThrow(
      "Neither ENCRYPTION_KEY_OLD nor ENCRYPTION_KEY decrypts 1 token of another server. Nothing was changed.",
    );
    expect(await db.host_state.findMany()).toEqual(before);
    expect(await rotate(OLD, { mayDiscard: true })).toMatchObject({
      rotated: { length: 1 },
      discarded: { length: 1 },
    });
    expect(await db.host_state.findUnique({ where: { host: "a.example" } })).toMatchObject({ token: null });
    await expect(start(NEW)).resolves.toBeUndefined();
  });
});

describe("npm run sluice -- rotate-encryption-key", { timeout: 120_000 }, () => {
  test("makes a new key in DATA_DIR, says what it did, and is refused while the service runs", async () => {
    await addToken();
    await start(OLD);
    const dataDir = makeDataDir();
    const given = { DATABASE_URL: url(), DATA_DIR: dataDir };
    const command = (more: object) => sluice(["rotate-encryption-key"], { ...given, ...more });

    expect((await command({})).output).toContain("Set ENCRYPTION_KEY_OLD to the former key");
    const lock = await lockDataDir(dataDir, "service");
    expect((await command({ ENCRYPTION_KEY_OLD: OLD })).output).toContain("already runs on");
    lock.release();
    const { code, output } = await command({ ENCRYPTION_KEY_OLD: OLD });
    expect([code, output]).toEqual([
      0,
      expect.stringContaining("Encrypted with the new key: 1 token of another server."),
    ]);
    await expect(start(undefined, dataDir)).resolves.toBeUndefined();
  });
});
