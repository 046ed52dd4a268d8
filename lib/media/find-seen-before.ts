import { setTimeout as sleep } from "node:timers/promises";
import { toIso } from "#lib/base/clock.ts";
import { ApiError } from "#lib/base/errors.ts";
import { getPicture } from "./get-picture.ts";
import { MediaFailure } from "./media-failure.ts";
import { seenRows, sourceKey, storedSourceKeys } from "./picture-hashes.ts";
import { postPictures } from "./picture-source.ts";
import type { SeenBefore } from "./schema.ts";

/** Pictures of a post that are compared. Mastodon allows four, other servers up to sixteen. */
const MAX_PICTURES = 8;
/** Time limit for downloads of missing pictures. */
const WAIT_MS = 2000;

/**
 * Earlier posts with a picture of this post. Downloads pictures without a hash; unavailable and late ones are skipped.
 *
 * @throws post_not_found
 */
export async function findSeenBefore(postId: number): Promise<SeenBefore> {
  const pictures = await postPictures(postId);
  if (pictures === null) throw new ApiError("post_not_found");
  const known = await storedSourceKeys(postId);
  const size = pictures.length === 1 ? 960 : 320;
  const unknown = pictures
    .slice(0, MAX_PICTURES)
    .flatMap(({ source: { medium, ...source } }) =>
      medium === undefined || known.get(medium) === sourceKey(source.urls) ? [] : { ...source, medium },
    );
  if (unknown.length === 0 && known.size === 0) return [];
  // Their hashes are stored when they are drawn.
  const drawn = unknown.map((source) =>
    getPicture(source, size).catch((error: unknown) => {
      if (!(error instanceof MediaFailure)) throw error;
    }),
  );
  await Promise.race([Promise.all(drawn), sleep(WAIT_MS)]);
  return (await seenRows(postId)).map((row) => ({
    ...row,
    reviewed_at: toIso(row.reviewed_at),
    created_at: toIso(row.created_at),
  }));
}
