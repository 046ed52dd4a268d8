import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { withKernelLock } from "#lib/runtime/lock/kernel-lock.ts";
import { PROGRAM as ROOT, release } from "#lib/runtime/release/release.ts";

const GENERATED = path.join(ROOT, "prisma", "generated");
const LOCKS = path.join(ROOT, "node_modules", ".sluice");
const STAMP = path.join(GENERATED, ".made-from");

/**
 * @returns whether the client was generated
 * @throws Error with Prisma's output
 */
export async function ensurePrismaClient(): Promise<boolean> {
  if (await isPrismaClientCurrent()) return false;
  await mkdir(LOCKS, { recursive: true });
  return withKernelLock(path.join(LOCKS, "prisma-client.kernel-lock"), async () => {
    if (await isPrismaClientCurrent()) return false;
    const wanted = await fingerprint();
    await generate();
    await mkdir(GENERATED, { recursive: true });
    await writeFile(STAMP, wanted);
    return true;
  });
}

export async function isPrismaClientCurrent(): Promise<boolean> {
  if (release !== null) return true;
  if (!existsSync(STAMP)) return false;
  return (await readFile(STAMP, "utf8")) === (await fingerprint());
}

async function fingerprint(): Promise<string> {
  const hash = createHash("sha256");
  hash.update(await readFile(path.join(ROOT, "prisma", "schema.prisma")));
  hash.update(await readFile(path.join(ROOT, "node_modules", "prisma", "package.json")));
  return hash.digest("hex");
}

async function generate(): Promise<void> {
  const cli = path.join(ROOT, "node_modules", "prisma", "build", "index.js");
  const child = spawn(process.execPath, [cli, "generate"], {
    cwd: ROOT,
    env: { ...process.env, PRISMA_HIDE_UPDATE_MESSAGE: "1", CHECKPOINT_DISABLE: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code !== 0) throw new Error(`prisma generate failed:\n${output}`);
}
