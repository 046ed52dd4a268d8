import { toIso } from "#lib/clock.ts";
import { ApiError } from "#lib/errors.ts";
import { getPicture } from "./get-picture.ts";
import { MediaFailure } from "./media-failure.ts";
import { notePrint, printSource } from "./note-print.ts";
import { postPictures, type PictureSource } from "./picture-source.ts";
import { printSources, seenRows } from "./print-sql.ts";
import type { SeenBefore } from "./seen-schema.ts";

/** Pictures of a post that are looked at; Mastodon has four at most, its relatives up to sixteen. */
const LOOKED_AT = 8;

/**
 * Which pictures of a post another post had before it, so that a repeat is seen at review time and not when a consumer
 * fails over it. Pictures that nobody has fetched yet are fetched for it, in the size the card shows; those that cannot be
 * had are left out.
 * @throws ApiError `post_not_found`
 */
export async function findSeenBefore(postId: number): Promise<SeenBefore> {
  const pictures = await postPictures(postId);
  if (pictures === null) throw new ApiError("post_not_found");
  const known = await printSources(postId);
  const size = pictures.length === 1 ? 960 : 320;
  const unknown = pictures
    .slice(0, LOOKED_AT)
    .filter((source) => source.medium !== undefined && !isKnown(source, known));
  await Promise.all(unknown.map((source) => lookAt(source, size)));
  if (unknown.length === 0 && known.size === 0) return { items: [] };
  const rows = await seenRows(postId);
  return {
    items: rows.map((row) => ({
      ...row,
      reviewed_at: toIso(row.reviewed_at),
      created_at: toIso(row.created_at),
    })),
  };
}

function isKnown({ medium, urls }: PictureSource, known: Map<number, string>): boolean {
  return medium !== undefined && known.get(medium) === printSource(urls);
}

async function lookAt(source: PictureSource, size: number): Promise<void> {
  try {
    const drawn = await getPicture(source, size);
    // Drawn just now, it has been noted; from the cache, perhaps not.
    if (!isKnown(source, await printSources(source.post_id))) await notePrint(source, drawn);
  } catch (error) {
    if (!(error instanceof MediaFailure)) throw error;
  }
}
