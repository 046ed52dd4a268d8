import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { keptSecret, makeFolder } from "#lib/runtime/files.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { copyPostgres, findPostgres, type PostgresBinaries } from "./binaries.ts";

const OUTSIDE = "/var/lib/sluice";

export type Place = {
  binaries: PostgresBinaries;
  data: string;
  log: string;
  account: Account | null;
  password: string;
};

/**
 * Chooses binaries, data folder and account, creating what is missing.
 * @throws OperatorError when this user cannot use the files
 */
export async function preparePlace(dataDir: string, say: (sentence: string) => void): Promise<Place> {
  const asRoot = process.getuid?.() === 0;
  try {
    // The database account needs access; secrets have their own modes.
    makeFolder(dataDir, asRoot ? 0o711 : 0o700);
  } catch (error) {
    throw new OperatorError(
      `DATA_DIR ${dataDir} cannot be created (${(error as Error).message}): choose another folder.`,
    );
  }
  let binaries = await findPostgres();
  let data = path.join(dataDir, "postgres");
  const account = await databaseAccount(data);
  if (account !== null) {
    if (!(await canReach(data, account))) {
      data = await placeOutside(dataDir);
      say(`The database account cannot reach ${dataDir}, so the database's files are in ${data}.`);
    }
    if (!(await canReach(binaries.postgres, account))) {
      const copy = path.join(OUTSIDE, `postgresql-${binaries.major}-${await fingerprint(binaries)}`);
      if (!existsSync(copy))
        say(`The database account cannot reach ${binaries.folder}: copying it to ${copy}.`);
      binaries = await copyPostgres(binaries, copy);
    }
  }
  const found = await stat(data).catch(() => null);
  if (found !== null && account === null && process.getuid !== undefined && found.uid !== process.getuid()) {
    throw new OperatorError(
      `The database files in ${data} belong to another user (id ${found.uid}): start Sluice as that user, or give them to yours with chown -R.`,
    );
  }
  const log = path.join(dataDir, "postgres.log");
  return { binaries, data, log, account, password: keptSecret(path.join(dataDir, "postgres.password"), 1) };
}

/** Contains the path of a database outside of DATA_DIR. */
export function elsewhereNote(dataDir: string): string {
  return path.join(dataDir, "postgres-is-elsewhere.txt");
}

/** A random name, because a later DATA_DIR may have the same path. */
async function placeOutside(dataDir: string): Promise<string> {
  const note = elsewhereNote(dataDir);
  const noted = (await readFile(note, "utf8").catch(() => "")).trim();
  const data = noted || path.join(OUTSIDE, randomBytes(6).toString("hex"), "postgres");
  await mkdir(path.dirname(data), { recursive: true, mode: 0o711 });
  await writeFile(note, `${data}\n`);
  return data;
}

async function fingerprint(binaries: PostgresBinaries): Promise<string> {
  const { size, mtimeMs } = await stat(binaries.postgres);
  return createHash("sha256").update(`${size}:${mtimeMs}`).digest("hex").slice(0, 8);
}

/** Account of the database server when Sluice runs as root. */
export type Account = { uid: number; gid: number };

const ACCOUNT_NAME = "postgres";

/**
 * @param dataFolder its owner is used when it exists
 * @returns null when Sluice does not run as root
 * @throws OperatorError when the account cannot be created
 */
export async function databaseAccount(dataFolder: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(dataFolder).catch(() => null);
  if (owner !== null && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return lookUp() ?? create();
}

/** @param target absolute path; missing parts count as reachable */
export async function canReach(target: string, account: Account): Promise<boolean> {
  for (let folder = path.dirname(target); ; folder = path.dirname(folder)) {
    const found = await stat(folder).catch(() => null);
    if (found !== null) {
      const bit = found.uid === account.uid ? 0o100 : found.gid === account.gid ? 0o010 : 0o001;
      if ((found.mode & bit) === 0) return false;
    }
    if (folder === path.dirname(folder)) return true;
  }
}

function lookUp(): Account | null {
  try {
    return { uid: idOf("-u"), gid: idOf("-g") };
  } catch {
    return null;
  }
}

function idOf(flag: "-u" | "-g"): number {
  const output = execFileSync("id", [flag, ACCOUNT_NAME], { stdio: ["ignore", "pipe", "ignore"] });
  const id = Number.parseInt(output.toString(), 10);
  if (!Number.isInteger(id)) throw new Error("id printed no number");
  return id;
}

function create(): Account {
  // shadow-utils, then busybox.
  const attempts: [string, string[]][] = [
    ["useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/bin/false", ACCOUNT_NAME]],
    ["adduser", ["-S", "-D", "-H", "-s", "/bin/false", ACCOUNT_NAME]],
  ];
  for (const [command, parameters] of attempts) {
    try {
      execFileSync(command, parameters, { stdio: "ignore" });
    } catch {
      continue;
    }
    const account = lookUp();
    if (account !== null) return account;
  }
  throw new OperatorError(
    `PostgreSQL refuses to run as root, and no account "${ACCOUNT_NAME}" could be created for it: start Sluice as an ordinary user, or set DATABASE_URL.`,
  );
}
