import { ApiError } from "#lib/base/errors.ts";
import { getPicture } from "./get-picture.ts";
import { hashPicture } from "./decode-picture.ts";
import { hashDistance, SAME_PICTURE } from "./hash-distance.ts";
import { MediaFailure } from "./media-failure.ts";
import { duplicateDetails, duplicatePicture, matchedPostId, type DuplicateSide } from "./picture-source.ts";
import { UndrawablePicture } from "./undrawable-picture.ts";
import type { DuplicateComparison } from "./schema.ts";

/** The size of the page's small view, so that one download serves both. */
const SIZE_PX = 320;

type Side = DuplicateComparison["current"];

/**
 * The consumer's hashes come from another program, so they are compared only with each other and only when equally
 * long.
 *
 * @throws ApiError `post_not_found` when the post is not reported as a duplicate
 */
export async function compareDuplicate(postId: number): Promise<DuplicateComparison> {
  const details = await duplicateDetails(postId);
  if (details === null) throw new ApiError("post_not_found");
  const matchedId = matchedPostId(details);
  const [current, matched] = await Promise.all([
    describeSide(postId, "current", details.current_url, postId, details.current_dhash),
    describeSide(postId, "matched", details.matched_url, matchedId, details.matched_dhash),
  ]);
  const dhash = hashDistance(current.dhash, matched.dhash);
  const phash = hashDistance(current.phash, matched.phash);
  const distance = dhash === null || phash === null ? null : { dhash, phash, sum: dhash + phash };
  return {
    post_id: postId,
    match_type: details.match_type ?? null,
    is_itself: matchedId === postId,
    current,
    matched,
    reported_distance: hashDistance(current.reported_hash, matched.reported_hash),
    distance,
    same_picture: distance && distance.sum <= SAME_PICTURE,
  };
}

async function describeSide(
  postId: number,
  side: DuplicateSide,
  url: string | null | undefined,
  ownId: number | null,
  reported: string | null | undefined,
): Promise<Side> {
  const known = { url: url ?? null, post_id: ownId, reported_hash: reported ?? null };
  const source = await duplicatePicture(postId, side, SIZE_PX);
  if (source === null) return { ...known, dhash: null, phash: null, problem: "There is no picture." };
  try {
    const hashes = await hashPicture(await getPicture(source, SIZE_PX));
    return { ...known, dhash: hashes?.dhash ?? null, phash: hashes?.phash ?? null, problem: null };
  } catch (error) {
    if (error instanceof UndrawablePicture)
      return { ...known, dhash: null, phash: null, problem: "The picture could not be compared." };
    if (!(error instanceof MediaFailure)) throw error;
    return { ...known, dhash: null, phash: null, problem: error.message };
  }
}
