import { readFileSync, writeFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import path from "node:path";

/** The last line of a chunk; it holds the chunk's own name. */
const SOURCE_MAP = /\n\/\/# sourceMappingURL=\S+\s*$/;

/**
 * Replaces server chunks that are copies of another chunk by a reference to it. Turbopack writes the modules that many
 * routes share once for each route, and Node.js keeps the source of every loaded file in memory.
 *
 * @param folder such as ".next/server/chunks"
 * @returns the number of files replaced
 */
export async function shareChunks(folder: string): Promise<number> {
  const kept = new Map<string, string>();
  let replaced = 0;
  for (const name of (await readdir(folder)).filter((file) => file.endsWith(".js")).sort()) {
    const file = path.join(folder, name);
    const source = readFileSync(file, "utf8");
    if (!source.startsWith("module.exports=[")) continue;
    const code = source.replace(SOURCE_MAP, "");
    const original = kept.get(code);
    if (original === undefined) {
      kept.set(code, name);
      continue;
    }
    writeFileSync(file, `module.exports=require(${JSON.stringify(`./${original}`)});\n`);
    await rm(`${file}.map`, { force: true });
    replaced++;
  }
  return replaced;
}
