import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { keptSecret } from "#lib/runtime/files.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { type Account, canReach, databaseAccount, OUTSIDE } from "./account.ts";
import { copyPostgres, findPostgres, type PostgresBinaries } from "./binaries.ts";

export type Place = {
  binaries: PostgresBinaries;
  data: string;
  log: string;
  /** The server's named pipe. */
  presence: string;
  account: Account | null;
  password: string;
};

/**
 * Chooses binaries and account for a data folder, creating what is missing.
 * @throws OperatorError when this user cannot use the files
 */
export async function preparePlace(dataDir: string, say: (sentence: string) => void): Promise<Place> {
  let binaries = await findPostgres();
  const data = path.join(dataDir, "postgres");
  const account = await databaseAccount(data);
  if (account !== null) {
    if (!(await canReach(data, account))) {
      throw new OperatorError(
        `The account of the database (id ${account.uid}) cannot reach ${data}: set DATA_DIR to a folder whose parents are open to it.`,
      );
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
  const password = path.join(dataDir, "postgres.password");
  if (existsSync(path.join(data, "PG_VERSION")) && !existsSync(password)) {
    throw new OperatorError(`${password} is missing: put it back from a backup.`);
  }
  return {
    binaries,
    data,
    log: path.join(dataDir, "postgres.log"),
    presence: path.join(dataDir, "postgres.alive"),
    account,
    password: keptSecret(password, 1),
  };
}

async function fingerprint(binaries: PostgresBinaries): Promise<string> {
  const { size, mtimeMs } = await stat(binaries.postgres);
  return createHash("sha256").update(`${size}:${mtimeMs}`).digest("hex").slice(0, 8);
}
