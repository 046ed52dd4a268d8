import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { variableNames } from "#lib/env.ts";
import { errorCodes, statusOf, textOf } from "#lib/errors.ts";
import { commandNames } from "#lib/runtime/cli/commands.ts";
import layers from "../.dependency-cruiser.js";
import packageJson from "../package.json" with { type: "json" };
import { listFiles, ROOT } from "./architecture/source-files.ts";

/*
 * Scripts, files, headings, settings and commands named in documents exist.
 */

type Document = { file: string; text: string };

const documents: Document[] = listFiles("")
  .filter((file) => file.endsWith(".md") && !file.startsWith(".github/"))
  .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), "utf8") }));

const scripts = new Set(Object.keys(packageJson.scripts));

/** Names in capitals that are no settings. */
const NOT_SETTINGS =
  /^(SQL_ASCII|TEST_\w+|NODE_ENV|NODE_EXTRA_CA_CERTS|VERCEL_ENV|CHROMIUM_PATH|FUZZ_SEED|DROP_RULES|SPECIAL_KINDS)$/;

/** Documents that exist nowhere in the repository, as comments used to cite them. */
const ABSENT =
  /\b(?:contract|design|spec)(?:'s)? \(?§|(?<![\w-])(?:contract|design|style|consumers|review|look|classification)\.md\b|\bfediverse\.md §|\(spec "|\(spec `/;

/**
 * Shell lines of documents, and the tests that run them. A line in no test does not belong into a document. `npm test` itself runs
 * `npm test`, the check of types and the comparison of snapshots.
 */
const RUN_BY: Record<string, string> = {
  "npm start": "tests/e2e/service.slow.spec.ts",
  "npm run demo": "tests/e2e/commands.slow.spec.ts",
  "cd examples && npm install": "tests/e2e/commands.slow.spec.ts",
  "../node_modules/.bin/node --env-file=.env.demo bot.ts": "tests/e2e/commands.slow.spec.ts",
  "npm run dev": "tests/e2e/commands.slow.spec.ts",
  "node lib/runtime/install/install.mjs": "tests/contributing.slow.test.ts",
  "npm test -- lib/queue/holds.test.ts": "tests/contributing.slow.test.ts",
  "npm test -- tests/integration/queue/settle.test.ts": "tests/contributing.slow.test.ts",
  "npm test -- tests/integration/runtime/migrate.test.ts": "tests/contributing.slow.test.ts",
  "npm test -- tests/e2e/sign-in.spec.ts": "tests/run.ts",
  "npx prisma generate": "tests/run.ts",
  "npx tsc --noEmit": "tests/run.ts",
  "npm test -- tests/integration/api/openapi.test.ts --update": "tests/run.ts",
  "npm test -- tests/integration/runtime/migrate.test.ts --update": "tests/run.ts",
  "npm test": "tests/run.ts",
};

/** Lines of fenced blocks in this language. */
function linesOf({ text }: Document, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))]
    .flatMap(([, block]) => (block ?? "").split("\n"))
    .filter((line) => line.trim() !== "");
}

function withoutFences(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, "");
}

/** Inline code and shell lines: where documents name commands. */
function codeOf(document: Document): string[] {
  const inline = [...withoutFences(document.text).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code ?? "");
  return [...inline, ...linesOf(document, "sh")];
}

/** `{a,b}.ts` → `a.ts` and `b.ts`. */
function expandBraces(word: string): string[] {
  const [, before = "", choices = "", after = ""] = /^(.*)\{(.*)\}(.*)$/.exec(word) ?? [];
  return choices === "" ? [word] : choices.split(",").map((choice) => before + choice + after);
}

function isInRepository(file: string): boolean {
  return existsSync(path.join(ROOT, file));
}

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of withoutFences(text).matchAll(/^#{1,6} +(.+)$/gm)) {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
      .replace(/\s/g, "-");
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Error text for a broken link to `target` in `file`, or null. */
function brokenLink(file: string, target: string): string | null {
  if (/^(https?:|mailto:)/.test(target)) return null;
  const [to = "", anchor] = target.split("#");
  const found = to === "" ? file : path.posix.join(path.posix.dirname(file), to);
  if (!existsSync(path.join(ROOT, found))) return `${file}: ${target} names no file`;
  if (anchor === undefined || !found.endsWith(".md")) return null;
  const text = readFileSync(path.join(ROOT, found), "utf8");
  return anchorsOf(text).has(anchor) ? null : `${file}: ${target} names no heading`;
}

describe("documents", () => {
  test("name only npm scripts that exist", () => {
    const unknown = documents.flatMap((document) =>
      codeOf(document).flatMap((code) =>
        [...code.matchAll(/\bnpm (?:run (?:-s )?([\w:-]+)|(test|start))\b/g)]
          .map(([, run, short]) => run ?? short ?? "")
          .filter((name) => !scripts.has(name))
          .map((name) => `${document.file}: ${name}`),
      ),
    );
    expect(unknown).toEqual([]);
  });

  test("name only commands of `npm run sluice` that exist", () => {
    const named = documents.flatMap((document) =>
      codeOf(document).flatMap((code) =>
        [...code.matchAll(/\bsluice -- ([\w-]+)/g)].map(([, command]) => command ?? ""),
      ),
    );
    expect(named.length).toBeGreaterThan(0);
    const known = new Set(commandNames.map((name) => name.split(" ")[0]));
    expect(named.filter((command) => !known.has(command))).toEqual([]);
  });

  test("link only to files and headings that exist", () => {
    const broken = documents.flatMap(({ file, text }) =>
      [...withoutFences(text).matchAll(/\]\(<?([^)>\s]+)>?\)|(?:src|srcset|href)="([^"]+)"/g)].flatMap(
        ([, link, attribute]) => brokenLink(file, link ?? attribute ?? "") ?? [],
      ),
    );
    expect(broken).toEqual([]);
  });

  test("name only files that exist", () => {
    const missing = documents.flatMap((document) =>
      codeOf(document)
        .flatMap((code) => code.split(/\s+/))
        .filter((word) => /^(?:app|components|docs|lib|prisma|public|tests)\/[\w./()[\]-]+$/.test(word))
        .map((word) => word.replace(/[.,]$/, ""))
        .filter((word) => !word.startsWith("prisma/generated") && !existsSync(path.join(ROOT, word)))
        .map((word) => `${document.file}: ${word}`),
    );
    expect(missing).toEqual([]);
  });

  test("name only test files that exist, by their path or as a neighbour of the document", () => {
    const missing = documents.flatMap(({ file, text }) =>
      codeOf({ file, text })
        .flatMap((code) => code.split(/\s+/))
        .filter((word) => /^[^*<]+\.(?:test|spec)\.tsx?$/.test(word))
        .flatMap(expandBraces)
        .filter((word) => !isInRepository(word) && !isInRepository(path.posix.join(path.dirname(file), word)))
        .map((word) => `${file}: ${word}`),
    );
    expect(missing).toEqual([]);
  });

  test("name only settings that exist", () => {
    const unknown = documents.flatMap((document) =>
      codeOf(document).flatMap((code) =>
        [...code.matchAll(/(?<![\w./$<-])([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?==|\b)/g)]
          .map(([, name]) => name ?? "")
          .filter((name) => !variableNames.includes(name.replace(/_FILE$/, "")) && !NOT_SETTINGS.test(name))
          .map((name) => `${document.file}: ${name}`),
      ),
    );
    expect(unknown).toEqual([]);
  });

  test("describe every setting in docs/operations.md", () => {
    const { text } = documents.find(({ file }) => file === "docs/operations.md") as Document;
    expect(variableNames.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  test("show the layers of lib in the order that is checked", () => {
    const { text } = documents.find(({ file }) => file === "docs/architecture.md") as Document;
    const table = text.slice(text.indexOf("| leaves"), text.indexOf("`lib/client` and"));
    const shown = [...table.matchAll(/`([\w/-]+)`/g)].map(([, folder]) => folder ?? "");
    const rules = layers.forbidden ?? [];
    const checked = rules.flatMap(({ name = "" }) => /^layer-(.+)$/.exec(name)?.[1] ?? []);
    expect(checked.length).toBeGreaterThan(10);
    expect(shown.filter((folder) => checked.includes(folder))).toEqual(checked);
  });

  test("list all leaves of lib", () => {
    const { text } = documents.find(({ file }) => file === "docs/architecture.md") as Document;
    const row = /^\| leaves .*$/m.exec(text)?.[0] ?? "";
    const listed = [...row.matchAll(/`([\w-]+)`/g)].map(([, name]) => `lib/${name}.ts`);
    const leaves = listFiles("lib").filter((file) => /^lib\/[^/]+(?<!\.test)\.ts$/.test(file));
    expect(listed.toSorted()).toEqual(leaves.toSorted());
  });

  test("show only shell lines that a test runs", () => {
    const lines = documents.flatMap((document) => linesOf(document, "sh"));
    const curl = /^(curl |SLUICE=)/; // README.md; tests/e2e/readme.slow.spec.ts
    const unknown = lines.filter((line) => !curl.test(line) && !line.startsWith("git ") && !(line in RUN_BY));
    expect(unknown).toEqual([]);
    expect(Object.keys(RUN_BY).filter((line) => !lines.includes(line))).toEqual([]);
    expect(Object.values(RUN_BY).filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  });

  test("begin in the README with the set-up commands, each with its effect and duration", () => {
    const readme = documents.find(({ file }) => file === "README.md") as Document;
    const commands = linesOf(readme, "sh").slice(0, 2);
    expect(commands).toEqual(["npm start", "npm test"]);
    for (const command of commands)
      expect(readme.text).toMatch(new RegExp(`^- \`${command}\` .+(?:\n  .+)*(?:seconds|minutes)`, "m"));
  });

  test("list every page of docs/decisions in its README", () => {
    const { text } = documents.find(({ file }) => file === "docs/decisions/README.md") as Document;
    const pages = documents.flatMap(({ file }) => /^docs\/decisions\/(\d{4}-.*)$/.exec(file)?.[1] ?? []);
    expect(pages.length).toBeGreaterThan(0);
    expect(pages.filter((page) => !text.includes(`(${page})`))).toEqual([]);
  });
});

describe("comments and documents", () => {
  test("cite no document that is not in the repository", () => {
    const cited = listFiles("")
      .filter((file) => /\.(tsx?|mjs|js|sql|md|css|ya?ml|prisma)$|\.env\.example$/.test(file))
      .filter((file) => file !== "tests/documents.test.ts")
      .flatMap((file) =>
        readFileSync(path.join(ROOT, file), "utf8")
          .split("\n")
          .flatMap((line, index) => (ABSENT.test(line) ? `${file}:${index + 1}: ${line.trim()}` : [])),
      );
    expect(cited).toEqual([]);
  });

  test("link only to headings of docs that exist", () => {
    const broken = listFiles("")
      .filter((file) => /\.(tsx?|mjs|js|sql|css|prisma)$/.test(file))
      .flatMap((file) =>
        [...readFileSync(path.join(ROOT, file), "utf8").matchAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g)].flatMap(
          ([target]) => brokenLink("README.md", target)?.replace(/^README\.md/, file) ?? [],
        ),
      );
    expect(broken).toEqual([]);
  });
});

test("docs/api.md lists every error code with status and text", () => {
  const api = documents.find(({ file }) => file === "docs/api.md")?.text ?? "";
  const rows = errorCodes.map((code) => {
    const text = textOf(code) === "{message}" ? "one sentence" : `\`${textOf(code)}\``;
    return `| \`${code}\` | ${statusOf(code)} | ${text} |`;
  });
  const written = api.split("\n").map((line) => line.replace(/ +/g, " "));
  expect(
    rows.filter((row) => !written.includes(row)),
    "rows missing under Codes",
  ).toEqual([]);
  const section = written.slice(written.indexOf("### Codes"), written.indexOf("## Authentication"));
  expect(section.filter((line) => line.startsWith("| `"))).toEqual(rows);
});
