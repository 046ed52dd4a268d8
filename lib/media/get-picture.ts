import { hash } from "node:crypto";
import { readCached, writeCached } from "./cache.ts";
import { readPicture, renderPicture } from "./decode-picture.ts";
import { decodeFrom } from "./fetch-bytes.ts";
import { sharedWork } from "./limited.ts";
import { MediaFailure } from "./media-failure.ts";
import { storeHashes } from "./picture-hashes.ts";
import type { PictureSource } from "./picture-source.ts";

/** Part of every ETag. Raise it when the rendering changes. */
const RENDER_VERSION = 1;

const share = sharedWork<Buffer>();

/** Name of a rendering, for ETag and cache. Changes with addresses, size and rendering version. */
export function pictureTag(source: PictureSource, size: number): string {
  const identity = [RENDER_VERSION, size, source.part, ...source.urls].join("\n");
  return hash("sha256", identity, "hex").slice(0, 20);
}

/**
 * A picture as WebP, from the cache, or from the first address that works. Parallel requests share the work.
 *
 * @param size pixels of the square it fits into
 * @throws MediaFailure of the last address tried
 */
export async function getPicture(source: PictureSource, size: number): Promise<Buffer> {
  const name = `${source.part}-${size}-${pictureTag(source, size)}.webp`;
  return share(`${source.post_id}/${name}`, async () => {
    const cached = await readCached(source.post_id, name);
    if (cached !== null) return cached;
    const drawn = await drawFirst(source.urls, size);
    await Promise.all([
      writeCached(source.post_id, name, drawn),
      storeHashes(source, async () => (await readPicture(drawn, null)).hashes),
    ]);
    return drawn;
  });
}

async function drawFirst(urls: readonly string[], size: number): Promise<Buffer> {
  let failure = new MediaFailure("no_medium", "There is no picture.");
  for (const url of urls) {
    try {
      return await decodeFrom(url, (bytes) => renderPicture(bytes, size));
    } catch (error) {
      if (!(error instanceof MediaFailure)) throw error;
      failure = error;
    }
  }
  throw failure;
}
