import { spawnSync } from "node:child_process";
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build, buildFolder, isBuilt } from "#lib/runtime/install/build.ts";
import { ensurePrismaClient } from "#lib/runtime/install/prisma-client.ts";
import { findPostgres } from "#lib/runtime/postgres/place.ts";
import { explainEnd, OperatorError, say, step } from "#lib/runtime/terminal.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { filesOf, isBrowserOrTest, packageFiles } from "./packages.ts";
import { PROGRAM, type Release, RELEASE_FILE } from "./release.ts";

/*
 * `npm run package [-- FOLDER]`: writes sluice-VERSION-linux-ARCH.tar.gz into FOLDER, or into `dist`. For the system
 * and the processor that it runs on, because the packages have native parts.
 */

const NAME = `sluice-${packageJson.version}-${process.platform}-${process.arch}`;

const DOCUMENTS = [".env.example", "LICENSE", "README.md", "CHANGELOG.md", "SECURITY.md"];
const FOLDERS = ["contrib", "docs", "public", "prisma/functions", "prisma/generated", "prisma/migrations"];
/** Of the build: compiler caches, source maps, types, reports, and lists for other packagers. */
const NOT_SERVED = /^(cache|types|diagnostics|trace|trace-build|turbopack)(\/|$)|\.(map|nft\.json)$/;
/** Of `lib`: documents, the program that installs packages, and the programs that make archives. */
const NOT_RUN = /\.md$|^lib\/runtime\/install\/.*\.mjs$|^lib\/runtime\/release\/(?!release\.ts$)/;

try {
  if (process.platform !== "linux") throw new OperatorError("Archives are made on Linux only.");
  const [folder = path.join(PROGRAM, "dist")] = process.argv.slice(2);
  await ensurePrismaClient();
  // Makes the links between its libraries.
  await findPostgres();
  if (!(await isBuilt())) await step("Building the application", build);
  const file = path.join(path.resolve(folder), `${NAME}.tar.gz`);
  const unpacked = await step("Writing the archive", () => writeArchive(file));
  say(`${file}: ${megabytes(statSync(file).size)}, unpacked ${megabytes(unpacked)}.`);
} catch (error) {
  explainEnd(error);
  process.exitCode = 1;
}

/** @returns unpacked size in bytes */
async function writeArchive(file: string): Promise<number> {
  mkdirSync(path.dirname(file), { recursive: true });
  const folder = mkdtempSync(path.join(tmpdir(), "sluice-package-"));
  try {
    const size = stageRelease(path.join(folder, NAME), await buildFolder());
    // Readable by every user, and the same whoever makes it.
    const rights = ["--owner=0", "--group=0", "--numeric-owner", "--mode=u+rwX,go+rX,go-w", "--sort=name"];
    const { status, stderr } = spawnSync("tar", ["-czf", file, ...rights, "-C", folder, NAME], {
      encoding: "utf8",
    });
    if (status !== 0) throw new OperatorError(`tar failed: ${stderr.trim()}`);
    return size;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

/**
 * Copies the program.
 *
 * @param target absolute path of an empty folder
 * @param build folder of the build, relative to the program
 * @returns bytes
 */
function stageRelease(target: string, build: string): number {
  const lib = filesOf("lib").filter((file) => !isBrowserOrTest(file) && !NOT_RUN.test(file));
  const built = filesOf(build).filter((file) => !NOT_SERVED.test(path.relative(build, file)));
  const packages = packageFiles(build).map((file) => `node_modules/${file}`);
  const files = [...DOCUMENTS, ...FOLDERS.flatMap(filesOf), "next.config.mjs", ...lib, ...built, ...packages];
  for (const file of files) copy(file, path.join(target, file));
  copy("lib/runtime/release/sluice", path.join(target, "sluice"));
  const { name, version, license, type, homepage, imports } = JSON.parse(
    readFileSync(path.join(PROGRAM, "package.json"), "utf8"),
  ) as Record<string, unknown>;
  writeJson(target, "package.json", { name, version, private: true, license, type, homepage, imports });
  writeJson(target, RELEASE_FILE, { build } satisfies Release);
  return files.reduce((sum, file) => sum + lstatSync(path.join(target, file)).size, 0);
}

function copy(file: string, target: string): void {
  mkdirSync(path.dirname(target), { recursive: true });
  // Options of directories make it copy links as links.
  cpSync(path.join(PROGRAM, file), target, { recursive: true, verbatimSymlinks: true });
}

function writeJson(folder: string, name: string, content: object): void {
  writeFileSync(path.join(folder, name), `${JSON.stringify(content, null, 2)}\n`);
}
