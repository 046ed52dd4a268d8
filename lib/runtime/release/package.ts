import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build, buildFolder, isBuilt } from "#lib/runtime/install/build.ts";
import { ensurePrismaClient } from "#lib/runtime/install/prisma-client.ts";
import { findPostgres } from "#lib/runtime/postgres/place.ts";
import { explainEnd, OperatorError, say, step } from "#lib/runtime/terminal.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { PROGRAM } from "./release.ts";
import { stageRelease } from "./stage.ts";

/*
 * `npm run package [-- FOLDER]`: writes sluice-VERSION-linux-ARCH.tar.gz into FOLDER, or into `dist`. For the system
 * and the processor that it runs on, because the packages have native parts.
 */

const NAME = `sluice-${packageJson.version}-${process.platform}-${process.arch}`;

try {
  if (process.platform !== "linux") throw new OperatorError("Archives are made on Linux only.");
  const [folder = path.join(PROGRAM, "dist")] = process.argv.slice(2);
  await ensurePrismaClient();
  // Makes the links between its libraries.
  await findPostgres();
  if (!(await isBuilt())) await step("Building the application", build);
  const file = path.join(path.resolve(folder), `${NAME}.tar.gz`);
  const unpacked = await step("Writing the archive", () => writeArchive(file));
  say(`${file}: ${megabytes(statSync(file).size)}, unpacked ${megabytes(unpacked)}.`);
} catch (error) {
  explainEnd(error);
  process.exitCode = 1;
}

/** @returns unpacked size in bytes */
async function writeArchive(file: string): Promise<number> {
  mkdirSync(path.dirname(file), { recursive: true });
  const folder = mkdtempSync(path.join(tmpdir(), "sluice-package-"));
  try {
    const size = stageRelease(path.join(folder, NAME), await buildFolder());
    // Readable by every user, and the same whoever makes it.
    const rights = ["--owner=0", "--group=0", "--numeric-owner", "--mode=u+rwX,go+rX,go-w", "--sort=name"];
    const { status, stderr } = spawnSync("tar", ["-czf", file, ...rights, "-C", folder, NAME], {
      encoding: "utf8",
    });
    if (status !== 0) throw new OperatorError(`tar failed: ${stderr.trim()}`);
    return size;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
