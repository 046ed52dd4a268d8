import { rm } from "node:fs/promises";
import { log } from "#lib/log.ts";
import { cacheFolder, postFolder } from "./cache.ts";

/**
 * Removes the cached pictures of deleted posts. Best called after the deletion is committed. Never throws: a picture that
 * stays is not served any more, and the next sweep takes it.
 */
export async function forgetPictures(postIds: readonly number[]): Promise<void> {
  const root = cacheFolder();
  if (root === null) return;
  for (const id of postIds) {
    try {
      await rm(postFolder(root, id), { recursive: true, force: true });
    } catch (error) {
      log.warn({ err: error, post_id: id }, "cached pictures could not be removed");
    }
  }
}
