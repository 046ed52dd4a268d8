import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { isRelease, PROGRAM as ROOT } from "#lib/runtime/release/release.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";

/** A change in these files requires a new build. */
const SOURCES = [
  "{app,components,lib,public}/**/*",
  "{prisma/schema.prisma,package-lock.json,tsconfig.json,{next,postcss}.config.*,{proxy,instrumentation}.ts}",
];
/** Files that the build does not contain: tests, documents, and all of lib/runtime except the jobs. */
const NO_SOURCE = /\.test\.tsx?$|\.md$|^lib.runtime.(?!jobs)/;

/** File with the fingerprint of the sources of the last complete build. */
const STAMP = path.join(ROOT, ".next", "sources.sha256");

export async function isBuilt(): Promise<boolean> {
  if (isRelease) return true;
  try {
    return readFileSync(STAMP, "utf8") === (await fingerprint());
  } catch {
    return false;
  }
}

/** Builds the application if the sources have changed. @throws OperatorError with Next's output */
export async function build(): Promise<void> {
  const sources = await fingerprint();
  rmSync(STAMP, { force: true });
  const cli = path.join(ROOT, "node_modules", "next", "dist", "bin", "next");
  const child = spawn(process.execPath, [cli, "build"], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const stop = () => child.kill("SIGTERM");
  process.once("exit", stop);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  process.off("exit", stop);
  if (code === 0) return writeFileSync(STAMP, sources);
  throw new OperatorError(`${output.trim()}\nBuilding the application failed: ${reasonOf(code, output)}.`);
}

/** Sentence for a failed build. @param code null after a signal, for example when memory runs out */
function reasonOf(code: number | null, output: string): string {
  if (output.includes("ENOSPC")) return "the disk is full";
  if (code === null || /SIGKILL|SIGABRT|ENOMEM|out of memory/i.test(output))
    return "it needs 1.5 GB of free memory; a release archive needs no build (docs/operations.md)";
  return "the lines above say why";
}

async function fingerprint(): Promise<string> {
  const files: string[] = [];
  for await (const file of glob(SOURCES, { cwd: ROOT })) if (!NO_SOURCE.test(file)) files.push(file);
  const hash = createHash("sha256");
  for (const file of files.sort()) {
    // Null for a folder.
    const content = await readFile(path.join(ROOT, file)).catch(() => null);
    if (content !== null) hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}
