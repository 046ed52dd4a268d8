import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { filesOf, isBrowserOrTest, packageFiles } from "./packages.ts";
import { PROGRAM, type Release, RELEASE_FILE } from "./release.ts";

/* The content of a release archive. */

const DOCUMENTS = [".env.example", "LICENSE", "README.md", "CHANGELOG.md", "SECURITY.md"];
const FOLDERS = ["contrib", "docs", "public", "prisma/functions", "prisma/generated", "prisma/migrations"];
/** Of the build: compiler caches, source maps, types, reports, and lists for other packagers. */
const NOT_SERVED = /^(cache|types|diagnostics|trace|trace-build|turbopack)(\/|$)|\.(map|nft\.json)$/;
/** Of `lib`: documents, the program that installs packages, and the programs that make archives. */
const NOT_RUN = /\.md$|^lib\/runtime\/install\/.*\.mjs$|^lib\/runtime\/release\/(?!release\.ts$)/;

/**
 * Copies the program.
 *
 * @param target absolute path of an empty folder
 * @param build folder of the build, relative to the program
 */
export function stageRelease(target: string, build: string): void {
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
}

function copy(file: string, target: string): void {
  mkdirSync(path.dirname(target), { recursive: true });
  // Options of directories make it copy links as links.
  cpSync(path.join(PROGRAM, file), target, { recursive: true, verbatimSymlinks: true });
}

function writeJson(folder: string, name: string, content: object): void {
  writeFileSync(path.join(folder, name), `${JSON.stringify(content, null, 2)}\n`);
}
