import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Env } from "#lib/base/env.ts";
import { canReach, databaseAccount, OUTSIDE } from "#lib/runtime/postgres/account.ts";
import { commandLine } from "#lib/runtime/release/release.ts";
import { makeDataDir } from "./files.ts";
import { dataDirOf } from "./settings.ts";
import { OperatorError } from "./terminal.ts";

/** In DATA_DIR, when all data is elsewhere: the path of the data folder. */
const NOTE = "data-is-elsewhere.txt";

/**
 * The folder with all data: DATA_DIR, or the one that its note names. When Sluice runs as root and the account of the
 * built-in database cannot reach DATA_DIR, a new installation gets a folder below /var/lib/sluice.
 * @returns an existing folder
 * @throws OperatorError when the named folder is missing
 */
export async function openDataFolder(settings: Env, say: (sentence: string) => void): Promise<string> {
  const dataDir = dataDirOf(settings);
  makeDataDir(dataDir);
  const note = path.join(dataDir, NOTE);
  if (existsSync(note)) {
    const place = readFileSync(note, "utf8").trim();
    if (!existsSync(place)) {
      throw new OperatorError(
        `${note} says that the data is in ${place}, which does not exist: put that folder back, or remove the note to begin without data.`,
      );
    }
    say(`The data is in ${place}.`);
    return place;
  }
  if (settings.DATABASE_URL !== undefined || (await isReachable(dataDir))) return dataDir;
  // A random name, because a later DATA_DIR may have the same path.
  const place = path.join(OUTSIDE, randomBytes(6).toString("hex"));
  mkdirSync(place, { recursive: true, mode: 0o711 });
  writeFileSync(`${note}.new`, `${place}\n`, { flush: true });
  renameSync(`${note}.new`, note);
  say(`The account of the database cannot reach ${dataDir}, so all data is in ${place}.`);
  return place;
}

/**
 * Refuses keys without the database that they belong to. They are made after it.
 * @throws OperatorError that says where it may be
 */
export function requireItsDatabase(dataDir: string): void {
  const has = (name: string) => existsSync(path.join(dataDir, name));
  if (has("postgres/PG_VERSION") || !has("auth-secret")) return;
  throw new OperatorError(
    `${dataDir} has keys (auth-secret, encryption-key), but no database (the folder postgres): put it back, restore a backup (${commandLine("restore FILE")}), or set DATABASE_URL if you use a PostgreSQL of your own. To begin with an empty database, move the keys away.`,
  );
}

/** Data that exists stays where it is, even when it cannot be used. */
async function isReachable(dataDir: string): Promise<boolean> {
  const data = path.join(dataDir, "postgres");
  if ([data, path.join(dataDir, "auth-secret")].some((name) => existsSync(name))) return true;
  const account = await databaseAccount(data);
  return account === null || canReach(data, account);
}
