import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isRelease, PROGRAM as ROOT } from "#lib/runtime/release/release.ts";
import { step } from "#lib/runtime/terminal.ts";

const STAMP = path.join(ROOT, "prisma", "generated", ".made-from");

/**
 * Generates the client when the schema or the version of Prisma has changed.
 * @throws Error with Prisma's output
 */
export async function ensurePrismaClient(): Promise<void> {
  if (isRelease || (existsSync(STAMP) && readFileSync(STAMP, "utf8") === fingerprint())) return;
  await step("Generating the database client", async () => {
    const wanted = fingerprint();
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [path.join(ROOT, "node_modules", "prisma", "build", "index.js"), "generate"],
      {
        cwd: ROOT,
        env: { ...process.env, PRISMA_HIDE_UPDATE_MESSAGE: "1", CHECKPOINT_DISABLE: "1" },
        encoding: "utf8",
      },
    );
    if (status !== 0) throw new Error(`prisma generate failed:\n${stdout}${stderr}`);
    writeFileSync(STAMP, wanted);
    return Promise.resolve();
  });
}

function fingerprint(): string {
  const files = ["prisma/schema.prisma", "node_modules/prisma/package.json"];
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(path.join(ROOT, file)));
  return hash.digest("hex");
}
