import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Root of the project, with a slash at its end. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export type Import = {
  /** As written. */
  specifier: string;
  /** Path from the root where it names a file of the project, else null. */
  file: string | null;
  typeOnly: boolean;
};

export type SourceFile = {
  /** Path from the root, with slashes. */
  path: string;
  text: string;
  imports: Import[];
  /** Runs in the browser. */
  isClient: boolean;
};

const SKIPPED = new Set([
  "node_modules",
  "next-env.d.ts",
  ".next",
  ".git",
  "data",
  "generated",
  "test-results",
  "screenshots",
  "coverage",
  "playwright-report",
]);

/** Every source file of the project, sorted. */
export function readSources(): SourceFile[] {
  return listFiles("")
    .filter((file) => /\.(tsx?|mjs|js)$/.test(file))
    .sort()
    .map((file) => {
      const text = readFileSync(path.join(ROOT, file), "utf8");
      return {
        path: file,
        text,
        imports: readImports(file, text),
        isClient: /^\s*["']use client["']/.test(text),
      };
    });
}

/** Every file below a folder (path from the root, "" for all), generated and installed ones left out. */
export function listFiles(folder: string): string[] {
  if (!existsSync(path.join(ROOT, folder))) return [];
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (SKIPPED.has(entry.name)) return [];
    return entry.isDirectory() ? listFiles(file) : [file];
  });
}

function readImports(file: string, text: string): Import[] {
  const found: Import[] = [];
  const statement = /^(import|export)\s+(type\s+)?(?:[^"';]*?\sfrom\s+)?["']([^"']+)["']/gm;
  for (const [, , type, specifier = ""] of text.matchAll(statement)) {
    found.push({ specifier, file: resolve(file, specifier), typeOnly: type !== undefined });
  }
  for (const [, specifier = ""] of text.matchAll(/\bimport\(\s*["']([^"']+)["']\s*\)/g)) {
    found.push({ specifier, file: resolve(file, specifier), typeOnly: false });
  }
  return found;
}

function resolve(from: string, specifier: string): string | null {
  if (specifier.startsWith("#")) return specifier.slice(1);
  if (specifier.startsWith(".")) return path.posix.join(path.posix.dirname(from), specifier);
  return null;
}
