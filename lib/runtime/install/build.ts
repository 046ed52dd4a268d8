import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { withKernelLock } from "#lib/runtime/lock/kernel-lock.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { packStatic } from "#lib/runtime/web/packed-static.ts";
import { shareChunks } from "./share-chunks.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
/** File names contain content hashes. */
export const STATIC = path.join(ROOT, ".next", "static");
const SERVER_CHUNKS = path.join(ROOT, ".next", "server", "chunks");
const STAMP = path.join(ROOT, ".next", ".made-from");

/** A change in these files requires a new build. */
const SOURCES = [
  "app",
  "components",
  "lib",
  "public",
  "prisma/schema.prisma",
  "package-lock.json",
  "tsconfig.json",
];

export async function isBuilt(): Promise<boolean> {
  try {
    return readFileSync(STAMP, "utf8") === (await fingerprint());
  } catch {
    return false;
  }
}

/** @throws OperatorError with Next's output */
export async function build(): Promise<void> {
  const locks = path.join(ROOT, "node_modules", ".sluice");
  mkdirSync(locks, { recursive: true });
  await withKernelLock(path.join(locks, "build.kernel-lock"), async () => {
    if (await isBuilt()) return;
    const wanted = await fingerprint();
    rmSync(STAMP, { force: true });
    await runNextBuild();
    // A function of Vercel holds only the chunks that its own route names.
    if (process.env.VERCEL === undefined) {
      await shareChunks(SERVER_CHUNKS);
      await shareChunks(path.join(SERVER_CHUNKS, "ssr"));
    }
    await packStatic(STATIC);
    writeFileSync(STAMP, wanted);
  });
}

async function runNextBuild(): Promise<void> {
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
  if (code === 0) return;
  const full = /ENOSPC/.test(output) ? " (the disk is full)" : "";
  throw new OperatorError(`${output.trim()}\nBuilding the application failed${full}.`);
}

async function fingerprint(): Promise<string> {
  const rootFiles = (await readdir(ROOT)).filter((name) =>
    /^(next|postcss)\.config\.|^(proxy|instrumentation)\.ts$/.test(name),
  );
  const hash = createHash("sha256");
  for (const source of [...SOURCES, ...rootFiles].sort()) await addTo(hash, path.join(ROOT, source));
  return hash.digest("hex");
}

async function addTo(hash: ReturnType<typeof createHash>, target: string): Promise<void> {
  const entries = await readdir(target, { withFileTypes: true }).catch(() => null);
  if (entries === null) {
    const content = await readFile(target).catch(() => null);
    if (content !== null) hash.update(`${path.relative(ROOT, target)}\0${content.length}\0`).update(content);
    return;
  }
  if (target === path.join(ROOT, "lib", "runtime")) return;
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!/\.test\.tsx?$|\.md$/.test(entry.name)) await addTo(hash, path.join(target, entry.name));
  }
}
