import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
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

/** First and last byte. */
export type Bytes = { from: number; to: number };

/** Null when missing or older than a day. */
export async function cachedSize(postId: number, name: string): Promise<number | null> {
  return (await freshFile(postId, name))?.size ?? null;
}

/**
 * @param part of the file; absent for all of it
 * @returns null when missing or older than a day
 */
export async function readCached(postId: number, name: string, part?: Bytes): Promise<Buffer | null> {
  const found = await freshFile(postId, name);
  if (found === null) return null;
  try {
    const bytes = part === undefined ? await readFile(found.file) : await readPart(found.file, part);
    await utimes(found.file, new Date(), found.mtime);
    return bytes;
  } catch {
    return null;
  }
}

async function freshFile(postId: number, name: string) {
  const root = cacheFolder();
  if (root === null) return null;
  const file = path.join(postFolder(root, postId), name);
  const found = await stat(file).catch(() => null);
  if (found === null || Date.now() - found.mtimeMs > MAX_AGE_MS) return null;
  return { file, size: found.size, mtime: found.mtime };
}

async function readPart(file: string, { from, to }: Bytes): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(to - from + 1), position: from });
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
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
