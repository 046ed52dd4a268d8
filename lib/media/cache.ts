import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { env } from "#lib/env.ts";
import { log } from "#lib/log.ts";

/*
 * Pictures on the disk: DATA_DIR/media/<shard>/<post id>/<file>. A folder a post, so that a deleted post's pictures go
 * in one step. The modification time says when a picture was fetched (nothing is older than a day), the access time,
 * written by hand because many systems don't, when it was last shown. What cannot be written is not cached, and that
 * is all.
 */

/** Milliseconds a picture is kept (design §6). */
export const LONGEST_KEPT = 24 * 3_600_000;

/** The folder, or null where there is no disk of our own. */
export function cacheFolder(): string | null {
  const { DATA_DIR, VERCEL } = env();
  return VERCEL === undefined ? path.resolve(DATA_DIR, "media") : null;
}

/** The folder of one post's pictures. */
export function postFolder(root: string, postId: number): string {
  return path.join(root, (postId % 256).toString(16).padStart(2, "0"), String(postId));
}

/** A cached file that is not older than a day, or null. */
export async function readCached(postId: number, name: string): Promise<Buffer | null> {
  const root = cacheFolder();
  if (root === null) return null;
  const file = path.join(postFolder(root, postId), name);
  try {
    const { mtime } = await stat(file);
    if (Date.now() - mtime.getTime() > LONGEST_KEPT) return null;
    const bytes = await readFile(file);
    await utimes(file, new Date(), mtime);
    return bytes;
  } catch {
    return null;
  }
}

/** Puts a file into the cache, whole or not at all: a reader never sees half of one. */
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
    log.warn({ err: error }, "a picture could not be kept");
    await rm(draft, { force: true }).catch(() => undefined);
  }
}
