import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { db } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { log } from "#lib/base/log.ts";

/*
 * Picture cache on disk: DATA_DIR/media/<shard>/<post id>/<file>. The modification time is the time of download. Write
 * errors are ignored.
 */

const MAX_AGE_MS = 24 * 3_600_000;

/** Folder of the cache; null on Vercel, which has no disk of ours. */
function cacheFolder(): string | null {
  const { DATA_DIR, VERCEL } = env();
  return VERCEL === undefined ? path.resolve(DATA_DIR, "media") : null;
}

/** Folder of a post's files. 256 shards keep the folders small. */
export function postFolder(root: string, postId: number): string {
  return path.join(root, (postId % 256).toString(16).padStart(2, "0"), String(postId));
}

/** A cached file; null when it is missing or older than a day. */
export async function readCached(postId: number, name: string): Promise<Buffer | null> {
  const root = cacheFolder();
  if (root === null) return null;
  const file = path.join(postFolder(root, postId), name);
  try {
    const { mtime } = await stat(file);
    if (Date.now() - mtime.getTime() > MAX_AGE_MS) return null;
    return await readFile(file);
  } catch {
    return null;
  }
}

/** Stores a file. Atomic, so that no reader sees a partial file. */
export async function writeCached(postId: number, name: string, bytes: Uint8Array): Promise<void> {
  const root = cacheFolder();
  if (root === null) return;
  const folder = postFolder(root, postId);
  const draft = path.join(folder, `${randomUUID()}.part`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(draft, bytes, { mode: 0o600 });
    await rename(draft, path.join(folder, name));
  } catch (error) {
    log.warn({ err: error }, "picture not cached");
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

/**
 * Deletes the cached files of posts. Call it after the commit. Never throws: files that remain are not served, and the next
 * sweep deletes them.
 */
export async function forgetPictures(postIds: readonly number[]): Promise<void> {
  const root = cacheFolder();
  if (root === null) return;
  for (const id of postIds) {
    try {
      await rm(postFolder(root, id), { recursive: true, force: true });
    } catch (error) {
      log.warn({ err: error, post_id: id }, "cached pictures not removed");
    }
  }
}

const MAX_BYTES = 512 * 1024 * 1024;

/**
 * Deletes cached files of deleted and erased posts, files older than a day, and the oldest above the size limit. Parallel runs
 * are harmless.
 */
export async function sweepPictures(maxBytes = MAX_BYTES): Promise<{ removed: number }> {
  const root = cacheFolder();
  const files = root === null ? [] : await filesIn(root);
  const ids = [...new Set(files.map(({ id }) => id))];
  const rows = await db.post.findMany({ where: { id: { in: ids }, erased_at: null }, select: { id: true } });
  const alive = new Set(rows.map(({ id }) => id));
  let [bytes, removed] = [0, 0];
  for (const { file, id, size, fetched } of files.sort((a, b) => b.fetched - a.fetched)) {
    const isFresh = alive.has(id) && Date.now() - fetched <= MAX_AGE_MS;
    if (isFresh && (bytes += size) <= maxBytes) continue;
    removed += await rm(file).then(
      () => 1,
      () => 0,
    );
    // Fails when the folder is not empty, as intended.
    await rmdir(path.dirname(file)).catch(() => undefined);
  }
  return { removed };
}

interface CachedFile {
  file: string;
  /** Id of the post. */
  id: number;
  size: number;
  fetched: number;
}

/** Files below a folder; none when it does not exist. */
async function filesIn(root: string): Promise<CachedFile[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const files: CachedFile[] = [];
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name);
    const found = entry.isFile() ? await stat(file).catch(() => null) : null;
    const id = Number(path.basename(entry.parentPath));
    if (found && Number.isSafeInteger(id)) files.push({ file, id, size: found.size, fetched: found.mtimeMs });
  }
  return files;
}
