import { rm } from "node:fs/promises";
import { log } from "#lib/base/log.ts";
import { cacheFolder, postFolder } from "./cache.ts";

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
