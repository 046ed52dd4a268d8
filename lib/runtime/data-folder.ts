import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Env } from "#lib/base/env.ts";
import { canReach, databaseAccount, OUTSIDE } from "#lib/runtime/postgres/account.ts";
import { makeDataDir, SECRETS } from "./files.ts";
import { dataDirOf } from "./settings.ts";
import { OperatorError } from "./terminal.ts";

/** In DATA_DIR, when all data is elsewhere: the path of the data folder. */
export const NOTE = "data-is-elsewhere.txt";

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
  writeNote(dataDir, place);
  say(`The account of the database cannot reach ${dataDir}, so all data is in ${place}.`);
  return place;
}

/** Data that exists stays where it is, even when it cannot be used. */
async function isReachable(dataDir: string): Promise<boolean> {
  const data = path.join(dataDir, "postgres");
  if ([data, ...SECRETS.map((name) => path.join(dataDir, name))].some((name) => existsSync(name)))
    return true;
  const account = await databaseAccount(data);
  return account === null || canReach(data, account);
}

function writeNote(dataDir: string, place: string): void {
  const tempPath = path.join(dataDir, `.${NOTE}.${process.pid}`);
  writeFileSync(tempPath, `${place}\n`, { flush: true });
  renameSync(tempPath, path.join(dataDir, NOTE));
}
