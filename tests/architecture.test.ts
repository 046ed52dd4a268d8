import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { cruise } from "dependency-cruiser";
import { describe, expect, test } from "vitest";
import { listFiles, readSources, ROOT, type SourceFile } from "./architecture/source-files.ts";

/*
 * Rules of the code base that no compiler checks. Each test collects the violations; its message says how to fix them.
 */

const sources = readSources();
const isTest = (file: string) => file.startsWith("tests/") || /\.test\.tsx?$/.test(file);
const product = sources.filter((source) => !isTest(source.path));
describe("imports", () => {
  test("name project files by # or ./ with their extension, and the files exist", () => {
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

  test("follow the layers of .dependency-cruiser.js", async () => {
    const { default: config } = await import("../.dependency-cruiser.js");
    const { output } = await cruise(["lib", "app", "components", "proxy.ts"], {
      ...config.options,
      ruleSet: { forbidden: config.forbidden },
      validate: true,
      outputType: "err",
      baseDir: ROOT,
    });
    expect(output).toContain("no dependency violations found");
  }, 60_000);

  test('"use client" files and all they import contain no server code: no db, no env, no Node modules', () => {
    const wrong = reachedFrom(product.filter((source) => source.isClient)).flatMap((source) => [
      // Schemas may import other pure modules, but nothing of the server.
      ...(/^lib\/(env|db|log|runtime\/.*|.*\/sql)\.ts$|^prisma\//.test(source.path) ? [source.path] : []),
      ...source.imports
        .filter(
          (each) => !each.typeOnly && /^(node:|server-only$|pg$|pino$|undici$|sharp$)/.test(each.specifier),
        )
        .map((each) => `${source.path} → ${each.specifier}`),
    ]);
    expect(wrong).toEqual([]);
  });

  test("the modules of worker, runtime and commands run on plain Node: no JSX, no next/*, no server-only", () => {
    const entries = [
      "supervisor/worker.ts",
      "web/web.ts",
      "supervisor/start.ts",
      "supervisor/dev.ts",
      "supervisor/run-service.ts",
      "cli/cli.ts",
    ].map((name) => `lib/runtime/${name}`);
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

  test("operations are declared in their route file; lib/*/api.ts holds those that several route files share", () => {
    const routeFiles = sources.filter((source) => /^app\/.*route\.ts$/.test(source.path));
    const outside = product
      .filter((source) => !/^(app\/.*route|lib\/http\/.*|lib\/.*\bapi)\.ts$/.test(source.path))
      .filter((source) => /\boperation\(\{/.test(source.text))
      .map((source) => `${source.path}: declare the operation in its route file`);
    const users = (file: string, name: string) =>
      routeFiles.filter(
        (source) =>
          source.imports.some((each) => each.file === file) && new RegExp(`\\b${name}\\b`).test(source.text),
      ).length;
    const single = product
      .filter((source) => /^lib\/.*\bapi\.ts$/.test(source.path))
      .flatMap((source) =>
        [...source.text.matchAll(/^export (?:const|function) (\w+)/gm)]
          .map(([, name = ""]) => name)
          .filter((name) => users(source.path, name) === 1)
          .map((name) => `${source.path}: move ${name} into the one route file that uses it`),
      );
    expect([...outside, ...single]).toEqual([]);
  });

  test("the declared path equals the path of the folder", () => {
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

  test("each operation declares a scope or auth: none", async () => {
    process.env.NEXTAUTH_URL ??= "http://localhost:3000";
    const { registeredPaths } = await import("#lib/http/operation.ts");
    for (const source of declared) await import(/* @vite-ignore */ `#${source.path}`);
    const wrong = registeredPaths().flatMap(({ base, path, operations }) =>
      Object.entries(operations)
        .filter(([, operation]) => operation.auth !== "none" && operation.scope === undefined)
        .map(([method]) => `${method} ${base}${path}: give the operation a scope, or say auth: none`),
    );
    expect(wrong).toEqual([]);
    expect(registeredPaths().length).toBeGreaterThanOrEqual(declared.length);
  });
});

describe("source files", () => {
  test("only lib/env.ts reads process.env: add the variable there and call env()", () => {
    // lib/runtime passes the environment on to its children; Prisma and test tools have no other way.
    const allowed =
      /^(lib\/env\.ts|lib\/runtime\/|tests\/|examples\/|(prisma|vitest|playwright)\.config\.ts$|(eslint|next)\.config\.m?js$)/;
    const wrong = product
      .filter((source) => !allowed.test(source.path))
      // Programs that are shown to people, for their own machines.
      .filter((source) => !/^components\/settings\/keys\/consumer-/.test(source.path))
      // The bundler replaces NODE_ENV by a constant.
      .filter((source) => /process\.env(?!\.NODE_ENV\b)/.test(withoutComments(source.text)));
    expect(wrong.map((source) => source.path)).toEqual([]);
  });

  test("normalise text by normaliseUnicode first, because a long run of combining marks takes seconds", () => {
    const short = /^lib\/(auth\/password|runtime\/backup\/seal-secrets)\.ts$/;
    const found = sources
      .filter((source) => source.path.startsWith("lib/") && !isTest(source.path) && !short.test(source.path))
      .filter((source) => source.text.includes('.normalize("NF'))
      .filter((source) => !source.imports.some((each) => each.file === "lib/unicode-text.ts"));
    expect(found.map((source) => source.path)).toEqual([]);
  });

  test("contain no unexplained suppression, no TODO and no skipped test", () => {
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

  test("have kebab-case names", () => {
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

  test("there are no top-level folders besides the known ones: put new code into a domain", () => {
    const tops = new Set(
      listFiles("")
        .filter((file) => file.includes("/"))
        .map((file) => file.split("/")[0]),
    );
    const known = [
      ".ci",
      ".github",
      "app",
      "components",
      "contrib",
      "docs",
      "examples",
      "lib",
      "prisma",
      "public",
      "tests",
    ];
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
