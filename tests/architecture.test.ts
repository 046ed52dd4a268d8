import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { layers } from "../oxlint.config.ts";
import { listFiles, readSources, ROOT, type SourceFile } from "./architecture/source-files.ts";

/* Rules of the code base that neither the compiler nor the linter checks. */

const sources = readSources();
const isTest = (file: string) => file.startsWith("tests/") || /\.test\.tsx?$/.test(file);
const product = sources.filter((source) => !isTest(source.path));

describe("imports", () => {
  test("every folder of lib has its place in the layers of oxlint.config.ts", () => {
    const folders = readdirSync(path.join(ROOT, "lib"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    const known = [...layers.map((layer) => layer.split("/")[0]), "client", "desk"];
    expect(folders.filter((name) => !known.includes(name))).toEqual([]);
  });

  test("what runs in a browser imports no server code", () => {
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

  test("supervisor, web process, worker and commands run on plain Node: no JSX, no next/*", () => {
    const entries = ["supervisor/worker", "web/web", "supervisor/start", "supervisor/dev", "cli/cli"].map(
      (name) => `lib/runtime/${name}.ts`,
    );
    const reached = reachedFrom(product.filter((source) => entries.includes(source.path)));
    expect(reached.length).toBeGreaterThan(entries.length);
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
  const declared = product.filter(
    ({ path: file }) => /^app\/api\/v1\/.*route\.ts$/.test(file) && !file.includes("[..."),
  );

  test("a route declares the path of its folder", () => {
    const wrong = declared.flatMap((source) => {
      const folder = source.path
        .slice("app/api/v1".length, -"/route.ts".length)
        .replace(/\[(\w+)\]/g, "{$1}");
      const found = /routes\(\s*"([^"]*)"/.exec(source.text)?.[1];
      return found === folder ? [] : [`${source.path} declares ${found ?? "nothing"}, not ${folder}`];
    });
    expect(wrong).toEqual([]);
  });
});

describe("documents", () => {
  const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
  const withoutFences = (text: string) => text.replace(/^```[\s\S]*?^```/gm, "");

  /** Anchors of headings, as GitHub makes them. */
  const anchorsOf = (text: string) =>
    [...withoutFences(text).matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = ""]) =>
      heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .trim()
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
        .replace(/\s/g, "-"),
    );

  test("link to files and headings that exist", () => {
    const broken = listFiles("")
      .filter((file) => file.endsWith(".md"))
      .flatMap((file) =>
        [...withoutFences(read(file)).matchAll(/\]\(<?([^)>\s]+)>?\)|(?:src|srcset|href)="([^"]+)"/g)]
          .map(([, link, attribute]) => link ?? attribute ?? "")
          .filter((link) => !/^(https?:|mailto:)/.test(link))
          .filter((link) => {
            const [to = "", anchor] = link.split("#");
            const target = to === "" ? file : path.posix.join(path.posix.dirname(file), to);
            if (!existsSync(path.join(ROOT, target))) return true;
            return (
              anchor !== undefined && target.endsWith(".md") && !anchorsOf(read(target)).includes(anchor)
            );
          })
          .map((link) => `${file}: ${link}`),
      );
    expect(broken).toEqual([]);
  });
});
