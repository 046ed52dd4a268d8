import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { env } from "#lib/base/env.ts";
import { log } from "#lib/base/log.ts";

/*
 * Picture cache on disk: DATA_DIR/media/<shard>/<post id>/<file>. The modification time is the time of download;
 * the access time is set explicitly, because many systems do not update it. Write errors are ignored.
 */

export const MAX_AGE_MS = 24 * 3_600_000;

/** Null without a disk of our own. */
export function cacheFolder(): string | null {
  const { DATA_DIR, VERCEL } = env();
  return VERCEL === undefined ? path.resolve(DATA_DIR, "media") : null;
}

export function postFolder(root: string, postId: number): string {
  return path.join(root, (postId % 256).toString(16).padStart(2, "0"), String(postId));
}

/** Null when missing or older than a day. */
export async function readCached(postId: number, name: string): Promise<Buffer | null> {
  const root = cacheFolder();
  if (root === null) return null;
  const file = path.join(postFolder(root, postId), name);
  try {
    const { mtime } = await stat(file);
    if (Date.now() - mtime.getTime() > MAX_AGE_MS) return null;
    const bytes = await readFile(file);
    await utimes(file, new Date(), mtime);
    return bytes;
  } catch {
    return null;
  }
}

/** Atomic, so that no reader sees a partial file. */
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

/** Call it after the commit. Never throws: remaining pictures are not served, and the next sweep removes them. */
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
