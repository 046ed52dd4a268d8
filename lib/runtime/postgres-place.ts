import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { keptSecret } from "./kept-secrets.ts";
import { makeFolder } from "./make-folder.ts";
import { OperatorError } from "./operator-error.ts";
import { canReach, databaseAccount, type Account } from "./postgres-account.ts";
import { copyPostgres, findPostgres, type PostgresBinaries } from "./postgres-binaries.ts";

const OUTSIDE = "/var/lib/sluice";

/** Where the built-in database lies and who runs it. */
export type Place = {
  binaries: PostgresBinaries;
  data: string;
  log: string;
  account: Account | null;
  password: string;
};

/**
 * Decides on binaries, data folder and account, and makes what is missing of them. The data may be there already
 * or not.
 * @param dataDir DATA_DIR, absolute
 * @throws OperatorError when the files cannot be used by this user
 */
export async function preparePlace(dataDir: string, say: (sentence: string) => void): Promise<Place> {
  const asRoot = process.getuid?.() === 0;
  try {
    // Root's own folder must let the database account through; its secrets have their own modes.
    makeFolder(dataDir, asRoot ? 0o711 : 0o700);
  } catch (error) {
    throw new OperatorError(
      `DATA_DIR ${dataDir} cannot be made (${(error as Error).message}): choose another.`,
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

/** Where a DATA_DIR says that its database's files lie outside of it. */
export function elsewhereNote(dataDir: string): string {
  return path.join(dataDir, "postgres-is-elsewhere.txt");
}

/** A folder that DATA_DIR names: by a random name, since another DATA_DIR may lie at the same path one day. */
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
