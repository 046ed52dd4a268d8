import { createHash } from "node:crypto";
import { log } from "#lib/log.ts";
import { hashPicture } from "./hashes.ts";
import type { PictureSource } from "./picture-source.ts";
import { writePrint } from "./print-sql.ts";

/** Key of a picture's addresses, independent of their order. */
export function printSource(urls: readonly string[]): string {
  return createHash("sha256")
    .update([...urls].sort().join("\n"))
    .digest("hex")
    .slice(0, 20);
}

/**
 * Stores the hashes. Never throws, because the picture must still be shown.
 *
 * @param drawn the picture in any size
 */
export async function notePrint(source: PictureSource, drawn: Uint8Array): Promise<void> {
  if (source.medium === undefined) return;
  try {
    await writePrint(source.post_id, source.medium, printSource(source.urls), await hashPicture(drawn));
  } catch (error) {
    log.warn({ err: error, post_id: source.post_id }, "picture hash not stored");
  }
}
