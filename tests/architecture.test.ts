import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { listFiles, readSources, ROOT, type SourceFile } from "./architecture/source-files.ts";

/*
 * The house's rules that no compiler knows. Each test collects what breaks a rule; the list's name says what to
 * do instead.
 */

const sources = readSources();
const isTest = (file: string) => file.startsWith("tests/") || /\.test\.tsx?$/.test(file);
const product = sources.filter((source) => !isTest(source.path));
const LEAVES = new Set(
  ["clock", "db", "db-watch", "env", "errors", "log", "transaction"].map((name) => `lib/${name}.ts`),
);
const SERVICE_FOLDERS = new Set(["http", "auth", "client", "desk", "runtime", "jobs"]);

/** "lib/queue/sql.ts" → "queue"; null for the leaves and everything outside lib. */
function folderOfLib(file: string): string | null {
  return /^lib\/([^/]+)\//.exec(file)?.[1] ?? null;
}

function isDomain(folder: string | null): folder is string {
  return folder !== null && !SERVICE_FOLDERS.has(folder);
}

/** Every import of project files among `files` that `breaks` the rule, as "from → to". */
function wrongArrows(
  files: SourceFile[],
  breaks: (to: string, from: SourceFile) => boolean,
  types = false,
): string[] {
  return files.flatMap((from) =>
    from.imports
      .filter((each) => each.file !== null && (types || !each.typeOnly) && breaks(each.file, from))
      .map((each) => `${from.path} → ${each.file ?? ""}`),
  );
}

describe("imports", () => {
  test("project files are named by # or ./ and with their extension, and exist", () => {
    const unresolved = sources.flatMap((from) =>
      from.imports
        .filter((each) => each.file !== null && !each.file.startsWith("prisma/generated/"))
        .filter((each) => !/\.\w+$/.test(each.specifier) || !existsSync(path.join(ROOT, each.file ?? "")))
        .map(
          (each) => `${from.path}: "${each.specifier}" should name an existing file, as "#lib/db.ts" does`,
        ),
    );
    const upwards = sources.flatMap((from) =>
      from.imports
        .filter((each) => each.specifier.startsWith("../") && each.file?.includes("/"))
        .map(
          (each) => `${from.path}: "${each.specifier}" should begin with #${each.file?.split("/")[0] ?? ""}/`,
        ),
    );
    expect([...unresolved, ...upwards]).toEqual([]);
  });

  test("leaves of lib know no domain: move what they need into the leaf, or the caller up", () => {
    const leaves = product.filter((source) => LEAVES.has(source.path));
    expect(wrongArrows(leaves, (to) => !LEAVES.has(to) && !to.startsWith("prisma/generated/"))).toEqual([]);
  });

  test("lib never looks up at app or components: pass in what it needs", () => {
    const lib = product.filter((source) => source.path.startsWith("lib/"));
    expect(wrongArrows(lib, (to) => /^(app|components)\//.test(to), true)).toEqual([]);
  });

  test("lib/http and lib/auth know no domain: let the domain call them", () => {
    const base = product.filter((source) => /^lib\/(http|auth)\//.test(source.path));
    expect(wrongArrows(base, (to) => isDomain(folderOfLib(to)) || to.startsWith("lib/jobs/"))).toEqual([]);
  });

  test("a domain calls another's operation file, never its sql.ts", () => {
    const lib = product.filter((source) => source.path.startsWith("lib/"));
    const wrong = wrongArrows(
      lib,
      (to, from) => /\/sql\.ts$/.test(to) && folderOfLib(to) !== folderOfLib(from.path),
    );
    expect(wrong).toEqual([]);
  });

  test("only runtime and tests know lib/runtime", () => {
    const others = product.filter((source) => !source.path.startsWith("lib/runtime/"));
    expect(wrongArrows(others, (to) => to.startsWith("lib/runtime/"))).toEqual([]);
  });

  test("app and components never touch the database: call an operation of a domain", () => {
    const screens = product.filter((source) => /^(app|components)\//.test(source.path));
    expect(
      wrongArrows(screens, (to) => to === "lib/db.ts" || /\/sql\.ts$/.test(to) || to.startsWith("prisma/")),
    ).toEqual([]);
  });

  test("components know lib/client and schemas only: fetch in app and pass it in, or use a hook", () => {
    const components = product.filter((source) => source.path.startsWith("components/"));
    const wrong = wrongArrows(components, (to) => /^(lib|app)\//.test(to) && !isForBrowser(to));
    expect(wrong).toEqual([]);
  });

  test('"use client" files and all they import stay out of the server: no db, no env, no node modules', () => {
    const wrong = reachedFrom(product.filter((source) => source.isClient)).flatMap((source) => [
      // Schemas may use other pure modules; what they must not bring along is the server.
      ...(/^lib\/(env|db|log|runtime\/.*|.*\/sql)\.ts$|^prisma\//.test(source.path) ? [source.path] : []),
      ...source.imports
        .filter(
          (each) => !each.typeOnly && /^(node:|server-only$|pg$|pino$|undici$|sharp$)/.test(each.specifier),
        )
        .map((each) => `${source.path} → ${each.specifier}`),
    ]);
    expect(wrong).toEqual([]);
  });

  test("what worker, runtime and commands load runs on bare Node: no JSX, no next/*, no server-only", () => {
    const entries = ["worker.ts", "web.ts", "start.ts", "dev.ts", "run-service.ts", "cli.ts"].map(
      (name) => `lib/runtime/${name}`,
    );
    const reached = reachedFrom(product.filter((source) => entries.includes(source.path)));
    const wrong = reached.flatMap((source) => [
      ...(source.path.endsWith(".tsx") ? [source.path] : []),
      ...source.imports
        .filter((each) => !each.typeOnly && /^(next\/|server-only$|react$|react-dom)/.test(each.specifier))
        .map((each) => `${source.path} → ${each.specifier}`),
    ]);
    expect(wrong).toEqual([]);
  });
});

/** Modules that may run in a browser: hooks, and the pure schemas of the domains. */
function isForBrowser(file: string): boolean {
  return /^lib\/(client|desk)\//.test(file) || /^lib\/[^/]+\/([a-z-]+-)?schema\.ts$/.test(file);
}

function reachedFrom(entries: SourceFile[]): SourceFile[] {
  const byPath = new Map(product.map((source) => [source.path, source]));
  const reached = new Set(entries);
  for (const source of reached) {
    for (const each of source.imports) {
      const next = each.file === null || each.typeOnly ? undefined : byPath.get(each.file);
      if (next !== undefined) reached.add(next);
    }
  }
  return [...reached];
}

describe("routes of the API", () => {
  const files = sources.filter((source) => /^app\/api\/v1\/.*route\.ts$/.test(source.path));
  const declared = files.filter((source) => !source.path.includes("[..."));

  test("each route file is one declaration: export const { GET, HEAD, … } = routes(path, { … })", () => {
    const wrong = files.filter(
      (source) =>
        !/export const \{ GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS \} =\s*(routes|unknownPath)\(/.test(
          source.text,
        ),
    );
    expect(wrong.map((source) => source.path)).toEqual([]);
  });

  test("the declared path is the folder's", () => {
    const wrong = declared.flatMap((source) => {
      const folder = source.path
        .slice("app/api/v1".length, -"/route.ts".length)
        .replace(/\[(\w+)\]/g, "{$1}");
      const path = /routes\(\s*"([^"]*)"/.exec(source.text)?.[1];
      return path === folder
        ? []
        : [`${source.path}: declares ${path ?? "nothing"}, should declare ${folder}`];
    });
    expect(wrong).toEqual([]);
  });

  test("each operation names its scope, or says auth: none", async () => {
    process.env.NEXTAUTH_URL ??= "http://localhost:3000";
    const { registeredPaths } = await import("#lib/http/registry.ts");
    for (const source of declared) await import(/* @vite-ignore */ `#${source.path}`);
    const wrong = registeredPaths().flatMap(({ base, path, operations }) =>
      Object.entries(operations)
        .filter(([, operation]) => operation.auth !== "none" && operation.scope === undefined)
        .map(
          ([method]) => `${method} ${base}${path}: give the operation a scope, or make it an openOperation`,
        ),
    );
    expect(wrong).toEqual([]);
    expect(registeredPaths().length).toBeGreaterThanOrEqual(declared.length);
  });
});

describe("the house", () => {
  test("only lib/env.ts reads process.env: add the variable there and call env()", () => {
    // lib/runtime passes the environment on to its children; Prisma and test tools have no other way.
    const allowed =
      /^(lib\/env\.ts|lib\/runtime\/|tests\/|prisma\.config\.ts$|vitest\.config\.ts$|playwright\.config\.ts$)/;
    const wrong = product
      .filter((source) => !allowed.test(source.path))
      // Programs that are shown to people, for their own machines.
      .filter((source) => !/^components\/settings\/consumer-/.test(source.path))
      // The bundler replaces NODE_ENV by a constant.
      .filter((source) => /process\.env(?!\.NODE_ENV\b)/.test(withoutComments(source.text)));
    expect(wrong.map((source) => source.path)).toEqual([]);
  });

  test("no unexplained suppression, nothing left undone, no test left out", () => {
    const suppression = /@ts-(ignore|nocheck|expect-error)\b|eslint-disable/;
    const rules: [RegExp, string][] = [
      [/\b(TODO|FIXME|XXX)\b/, "do it, or take the note out"],
      [/\b(it|test|describe)\.(skip|only|todo)\(/, "mend the test or remove it"],
      [/\bas any\b|: any(\[\])?\s*[;,)=>{]/, "name the type, or unknown"],
    ];
    const wrong = sources
      .filter((source) => source.path !== "tests/architecture.test.ts")
      .flatMap((source) => {
        const lines = source.text.split("\n");
        return lines.flatMap((line, index) => {
          const isExplained = / -- /.test(line) || /^\s*(\/\/|\{?\/\*|\*)/.test(lines[index - 1] ?? "");
          const advice = rules.filter(([rule]) => rule.test(line)).map(([, text]) => text);
          if (suppression.test(line) && !isExplained)
            advice.push("say why in the line before, or mend the code");
          return advice.map((text) => `${source.path}:${index + 1}: ${text}`);
        });
      });
    expect(wrong).toEqual([]);
  });

  test("files are kebab-case", () => {
    const named = [
      ...listFiles("app"),
      ...listFiles("components"),
      ...listFiles("lib"),
      ...listFiles("tests"),
    ];
    const wrong = named.filter((file) =>
      file
        .split("/")
        .some(
          (part) =>
            !/^(README\.md|\(?[a-z0-9]+(-[a-z0-9]+)*\)?(\.[a-z0-9-]+)*|_?\[{1,2}(\.\.\.)?\w+\]{1,2})$/.test(
              part,
            ),
        ),
    );
    expect(wrong).toEqual([]);
  });

  test("what would go into src, utils, helpers, types or hooks belongs to a domain", () => {
    const tops = new Set(
      listFiles("")
        .filter((file) => file.includes("/"))
        .map((file) => file.split("/")[0]),
    );
    const known = [".ci", "app", "components", "lib", "prisma", "public", "tests"];
    expect([...tops].filter((folder) => !known.includes(folder ?? ""))).toEqual([]);
  });

  test("package-lock.json names the optional packages of every system, or npm ci refuses it elsewhere", () => {
    type Entry = { version?: string; optionalDependencies?: Record<string, string> };
    const lock = JSON.parse(readFileSync(path.join(ROOT, "package-lock.json"), "utf8")) as {
      packages: Record<string, Entry>;
    };
    const isListed = (from: string, name: string): boolean => {
      if (lock.packages[`${from === "" ? "" : `${from}/`}node_modules/${name}`] !== undefined) return true;
      if (from === "") return false;
      return isListed(from.slice(0, from.lastIndexOf("node_modules/")).replace(/\/$/, ""), name);
    };
    const missing = Object.entries(lock.packages).flatMap(([from, entry]) =>
      Object.keys(entry.optionalDependencies ?? {}).filter((name) => !isListed(from, name)),
    );
    expect(missing).toEqual([]);
  });
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}
