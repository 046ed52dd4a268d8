import { setTimeout as sleep } from "node:timers/promises";
import { toIso } from "#lib/base/clock.ts";
import { ApiError } from "#lib/base/errors.ts";
import { hashPicture } from "./decode-picture.ts";
import { getPicture } from "./get-picture.ts";
import { MediaFailure } from "./media-failure.ts";
import { storeHashes, sourceKey } from "./picture-hashes.ts";
import { postPictures, type PictureSource } from "./picture-source.ts";
import { storedSourceKeys, seenRows } from "./picture-hashes.ts";
import type { SeenBefore } from "./schema.ts";

/** Pictures compared. Mastodon allows four, other servers up to sixteen. */
const MAX_PICTURES = 8;
/** A slow server delays the answer no longer than this. */
const WAIT_MS = 2000;

/**
 * Missing pictures are downloaded; unavailable and late ones are skipped.
 *
 * @throws ApiError `post_not_found`
 */
export async function findSeenBefore(postId: number): Promise<SeenBefore> {
  const pictures = await postPictures(postId);
  if (pictures === null) throw new ApiError("post_not_found");
  const known = await storedSourceKeys(postId);
  const size = pictures.length === 1 ? 960 : 320;
  const unknown = pictures
    .slice(0, MAX_PICTURES)
    .flatMap(({ source }) => (source.medium === undefined || isKnown(source, known) ? [] : source));
  if (unknown.length === 0 && known.size === 0) return [];
  await Promise.race([Promise.all(unknown.map((source) => storeHash(source, size))), sleep(WAIT_MS)]);
  return (await seenRows(postId)).map((row) => ({
    ...row,
    reviewed_at: toIso(row.reviewed_at),
    created_at: toIso(row.created_at),
  }));
}

function isKnown({ medium, urls }: PictureSource, known: Map<number, string>): boolean {
  return medium !== undefined && known.get(medium) === sourceKey(urls);
}

async function storeHash(source: PictureSource, size: number): Promise<void> {
  try {
    const drawn = await getPicture(source, size);
    // A cached picture may have no hashes yet.
    if (!isKnown(source, await storedSourceKeys(source.post_id)))
      await storeHashes(source, () => hashPicture(drawn));
  } catch (error) {
    if (!(error instanceof MediaFailure)) throw error;
  }
}
