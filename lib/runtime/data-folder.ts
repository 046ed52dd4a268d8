import { randomBytes } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import type { Env } from "#lib/env.ts";
import { makeDataDir, SECRETS } from "./files.ts";
import { canReach, databaseAccount, OUTSIDE } from "./postgres/account.ts";
import { holderOfOldLock } from "./processes.ts";
import { dataDirOf } from "./settings.ts";
import { OperatorError } from "./terminal.ts";

/** In DATA_DIR, when all data is elsewhere: the path of the data folder. */
export const NOTE = "data-is-elsewhere.txt";
/** An earlier version wrote the database's path into it when only the database was elsewhere. */
const OLD_NOTE = "postgres-is-elsewhere.txt";

/**
 * The folder with all data: DATA_DIR, or the one that its note names. When Sluice runs as root and the account of the
 * built-in database cannot reach DATA_DIR, a new installation gets a folder below /var/lib/sluice.
 * @returns an existing folder
 * @throws OperatorError when the named folder is missing
 */
export async function openDataFolder(settings: Env, say: (sentence: string) => void): Promise<string> {
  const dataDir = dataDirOf(settings);
  makeDataDir(dataDir);
  const oldNote = path.join(dataDir, OLD_NOTE);
  const note = path.join(dataDir, NOTE);
  if (existsSync(oldNote)) moveToDatabase(dataDir, pathIn(oldNote));
  if (existsSync(note)) {
    const place = pathIn(note);
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

/** Moves the secrets of an earlier version to its database. */
function moveToDatabase(dataDir: string, data: string): void {
  const place = path.dirname(data);
  if (!existsSync(data)) {
    throw new OperatorError(
      `${path.join(dataDir, OLD_NOTE)} says that the database is in ${data}, which does not exist: put that folder back.`,
    );
  }
  if (holderOfOldLock(path.join(place, "postgres.lock")) !== null) {
    throw new OperatorError(`An earlier version of Sluice runs on ${dataDir}: stop it first.`);
  }
  for (const name of SECRETS) {
    const from = path.join(dataDir, name);
    if (!existsSync(from)) continue;
    const half = path.join(place, `.${name}.${process.pid}`);
    copyFileSync(from, half);
    renameSync(half, path.join(place, name));
  }
  writeNote(dataDir, place);
  for (const name of [OLD_NOTE, "media", ...SECRETS]) {
    rmSync(path.join(dataDir, name), { recursive: true, force: true });
  }
}

function writeNote(dataDir: string, place: string): void {
  const half = path.join(dataDir, `.${NOTE}.${process.pid}`);
  writeFileSync(half, `${place}\n`, { flush: true });
  renameSync(half, path.join(dataDir, NOTE));
}

function pathIn(note: string): string {
  return readFileSync(note, "utf8").trim();
}
