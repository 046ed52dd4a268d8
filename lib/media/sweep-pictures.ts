import { readdir, rm, rmdir, stat } from "node:fs/promises";
import path from "node:path";
import { db } from "#lib/base/db.ts";
import { cacheFolder, MAX_AGE_MS, postFolder } from "./cache.ts";

export const MAX_BYTES = 512 * 1024 * 1024;
/** Share kept by a sweep, so that the next picture does not start another. */
const SHARE_KEPT = 0.9;

interface CachedFile {
  file: string;
  size: number;
  fetched: number;
  shown: number;
}

/**
 * Removes cached pictures of deleted and erased posts, older than a day, and the least recently shown ones above the size
 * limit. Parallel runs are harmless.
 *
 * @returns number of removed files
 */
export async function sweepPictures(mostBytes = MAX_BYTES): Promise<{ removed: number }> {
  const root = cacheFolder();
  if (root === null) return { removed: 0 };
  let removed = 0;
  const kept: CachedFile[] = [];
  for (const shard of await namesIn(root)) {
    const ids = (await namesIn(path.join(root, shard))).map(Number).filter(Number.isSafeInteger);
    const alive = await existing(ids);
    for (const id of ids) {
      const folder = postFolder(root, id);
      const files = await filesIn(folder);
      const stale = files.filter((each) => !alive.has(id) || Date.now() - each.fetched > MAX_AGE_MS);
      for (const { file } of stale) removed += await remove(file);
      kept.push(...files.filter((each) => !stale.includes(each)));
      // Fails when the folder is not empty, as intended.
      if (stale.length === files.length) await rmdir(folder).catch(() => undefined);
    }
  }
  let bytes = kept.reduce((sum, { size }) => sum + size, 0);
  if (bytes <= mostBytes) return { removed };
  kept.sort((a, b) => a.shown - b.shown);
  for (const { file, size } of kept) {
    if (bytes <= mostBytes * SHARE_KEPT) break;
    removed += await remove(file);
    bytes -= size;
  }
  return { removed };
}

async function existing(ids: number[]): Promise<Set<number>> {
  const rows = await db.post.findMany({ where: { id: { in: ids }, erased_at: null }, select: { id: true } });
  return new Set(rows.map(({ id }) => id));
}

async function filesIn(folder: string): Promise<CachedFile[]> {
  const files: CachedFile[] = [];
  for (const name of await namesIn(folder)) {
    const file = path.join(folder, name);
    const found = await stat(file).catch(() => null);
    if (found) files.push({ file, size: found.size, fetched: found.mtimeMs, shown: found.atimeMs });
  }
  return files;
}

/** Empty when the folder does not exist. */
async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function remove(file: string): Promise<number> {
  return rm(file).then(
    () => 1,
    () => 0,
  );
}
