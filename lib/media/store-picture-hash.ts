import { createHash } from "node:crypto";
import { log } from "#lib/base/log.ts";
import type { PictureHashes } from "./hash-distance.ts";
import type { PictureSource } from "./picture-source.ts";
import { insertPictureHash } from "./picture-hash-sql.ts";

/** Key of a picture's addresses, independent of their order. */
export function sourceKey(urls: readonly string[]): string {
  return createHash("sha256")
    .update([...urls].sort().join("\n"))
    .digest("hex")
    .slice(0, 20);
}

/** Never throws, because the picture must still be shown. */
export async function storeHashes(
  source: PictureSource,
  hash: () => Promise<PictureHashes | null>,
): Promise<void> {
  if (source.medium === undefined) return;
  try {
    await insertPictureHash(source.post_id, source.medium, sourceKey(source.urls), await hash());
  } catch (error) {
    log.warn({ err: error, post_id: source.post_id }, "picture hash not stored");
  }
}
