import { existsSync, mkdirSync, statSync } from "node:fs";
import path from "node:path";

/**
 * Makes a folder and those above it, as `mkdir -p`. Node's own never comes to an end, and listens to no signal
 * meanwhile, where a folder is there and answers "no such file" to what is made in it, as everything below /proc does.
 * @param folder absolute
 * @param mode of the folders it makes
 * @throws Error of the file system; ENOTDIR when something else has that name
 */
export function makeFolder(folder: string, mode: number): void {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at); at = path.dirname(at)) missing.push(at);
  for (const each of missing.reverse()) {
    try {
      mkdirSync(each, { mode });
    } catch (error) {
      // Somebody else made it in between.
      if (!isFolder(each)) throw error;
    }
  }
  if (!isFolder(folder)) throw Object.assign(new Error("it is not a folder"), { code: "ENOTDIR" });
}

function isFolder(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
