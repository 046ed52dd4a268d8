import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";

/** The 409 for a pair that exists, with the hashtag as it is stored (contract §5). */
export async function streamExists(
  hashtagFolded: string,
  instance: string,
  asked: string,
): Promise<ApiError> {
  const stored = await db.stream.findUnique({
    where: { hashtag_folded_instance: { hashtag_folded: hashtagFolded, instance } },
    select: { hashtag: true },
  });
  return new ApiError("stream_exists", { hashtag: stored?.hashtag ?? asked, instance });
}
