import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { freeMemory } from "#lib/base/machine-memory.ts";
import { PROGRAM as ROOT, release } from "#lib/runtime/release/release.ts";
import { OperatorError, say } from "#lib/runtime/terminal.ts";

/** Next writes here. A complete build is renamed, so that running services keep their own. */
const UNFINISHED = ".next/new";
/** On Vercel the build stays where the platform looks for it. */
const isVercel = process.env.VERCEL !== undefined;

/** `next build` needs 821 MB alone, beside the system and other programs. With a limit of 1 GB it does not end. */
const BUILD_MEMORY_MB = 1_500;

/** A change in these files requires a new build. */
const SOURCES = [
  "{app,components,lib,public}/**/*",
  "{prisma/schema.prisma,package-lock.json,tsconfig.json,{next,postcss}.config.*,{proxy,instrumentation}.ts}",
];
/** Of lib/runtime the application has the jobs; the rest starts it. */
const NO_SOURCE = /\.test\.tsx?$|\.md$|^lib.runtime.(?!jobs)/;

/** Folder of the build of these sources, relative to the project. */
export async function buildFolder(): Promise<string> {
  if (release !== null) return release.build;
  return isVercel ? ".next" : `.next/${(await fingerprint()).slice(0, 16)}`;
}

export async function isBuilt(): Promise<boolean> {
  return release !== null || (!isVercel && existsSync(path.join(ROOT, await buildFolder())));
}

/** @throws OperatorError with Next's output */
export async function build(): Promise<void> {
  const free = freeMemory();
  if (free < BUILD_MEMORY_MB)
    say(
      `The build may be slow or fail: it needs ${BUILD_MEMORY_MB} MB of free memory, and there are ${free} MB. A release archive needs no build (docs/operations.md).`,
    );
  const wanted = await buildFolder();
  await runNextBuild(isVercel ? wanted : UNFINISHED);
  if (isVercel) return;
  removeOldBuilds();
  renameSync(path.join(ROOT, UNFINISHED), path.join(ROOT, wanted));
}

/** But the former one: a running service reads files of its build until it stops. `npm run dev` writes into "dev". */
function removeOldBuilds(): void {
  const builds = readdirSync(path.join(ROOT, ".next"))
    .filter((name) => name !== "dev" && name !== path.basename(UNFINISHED))
    .map((name) => path.join(ROOT, ".next", name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const folder of builds.slice(1)) rmSync(folder, { recursive: true, force: true });
}

async function runNextBuild(folder: string): Promise<void> {
  const cli = path.join(ROOT, "node_modules", "next", "dist", "bin", "next");
  const child = spawn(process.execPath, [cli, "build"], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", SLUICE_BUILD: folder },
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
  if (code === 0) return;
  const full = /ENOSPC/.test(output) ? " (the disk is full)" : "";
  throw new OperatorError(`${output.trim()}\nBuilding the application failed${full}.`);
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
