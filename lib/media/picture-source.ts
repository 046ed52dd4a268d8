import { z } from "zod";
import { db } from "#lib/base/db.ts";
import { MAX_ID } from "#lib/base/http/fields.ts";

/** Where a picture can be downloaded. `urls`: the best address first. */
export interface PictureSource {
  /** Post whose deletion removes the cached picture. */
  post_id: number;
  /** Part of the cached file's name. */
  part: string;
  urls: string[];
  /** Absent: it is not compared with others. */
  medium?: number;
}

const StoredMedia = z.array(
  z.looseObject({
    type: z.string().catch("unknown"),
    url: z.string().nullish().catch(null),
    preview_url: z.string().nullish().catch(null),
  }),
);
type StoredMedium = z.output<typeof StoredMedia>[number];

/** Largest width for which a server's preview (Mastodon: 640 × 360 points) is large enough. */
const PREVIEW_IS_ENOUGH = 320;

/** Media of a post; null without a post. */
async function mediaOf(postId: number): Promise<StoredMedium[] | null> {
  const post = await db.post.findUnique({ where: { id: postId }, select: { media: true } });
  return post && StoredMedia.catch([]).parse(post.media);
}

/** The n-th medium of a post, from 0, or null. */
export async function mediumOf(postId: number, n: number): Promise<StoredMedium | null> {
  return (await mediaOf(postId))?.[n] ?? null;
}

/** Addresses of a medium's picture, the best for this size first. Video and audio have only a preview. */
function pictureUrls(medium: StoredMedium, size: number): string[] {
  const still = medium.type === "image" || medium.type === "unknown";
  const original = still ? medium.url : null;
  const urls = size <= PREVIEW_IS_ENOUGH ? [medium.preview_url, original] : [original, medium.preview_url];
  return [...new Set(urls.filter((url) => typeof url === "string" && url !== ""))] as string[];
}

/** The picture of the n-th medium, from 0, or null. */
export async function postPicture(postId: number, n: number, size: number): Promise<PictureSource | null> {
  const medium = await mediumOf(postId, n);
  return medium && mediumSource(postId, medium, n, size);
}

/** Pictures of a post with their indexes: images, and previews of video and audio. Null without a post. */
export async function postPictures(postId: number): Promise<{ n: number; source: PictureSource }[] | null> {
  const media = await mediaOf(postId);
  return (
    media &&
    media.flatMap((medium, n) => {
      const source = mediumSource(postId, medium, n, PREVIEW_IS_ENOUGH);
      return source === null ? [] : [{ n, source }];
    })
  );
}

function mediumSource(postId: number, medium: StoredMedium, n: number, size: number): PictureSource | null {
  const source = sourceOf(postId, `medium-${n}`, pictureUrls(medium, size));
  // Audio files of an album share their cover, so it is not compared.
  return source && (medium.type === "audio" ? source : { ...source, medium: n });
}

/** The avatar of a post's author, or null. */
export async function avatarPicture(postId: number): Promise<PictureSource | null> {
  const post = await db.post.findUnique({ where: { id: postId }, select: { author_avatar_url: true } });
  return post?.author_avatar_url ? sourceOf(postId, "avatar", [post.author_avatar_url]) : null;
}

const StoredEmojis = z.array(z.looseObject({ url: z.string().nullish().catch(null) })).catch([]);

/** The n-th custom emoji of a post, from 0, or null. */
export async function emojiPicture(postId: number, n: number): Promise<PictureSource | null> {
  const post = await db.post.findUnique({ where: { id: postId }, select: { emojis: true } });
  const url = StoredEmojis.parse(post?.emojis)[n]?.url;
  return url ? sourceOf(postId, `emoji-${n}`, [url]) : null;
}

const DuplicateDetails = z.looseObject({
  error_type: z.literal("duplicate_attachment"),
  current_url: z.string().nullish().catch(null),
  matched_url: z.string().nullish().catch(null),
  /** The post that the consumer named. It may be deleted. */
  matched_post_id: z.coerce.number().int().min(1).max(MAX_ID).catch(0),
});

/** One side of a reported duplicate: the address that the consumer sent, then the first picture of the stored post. */
export async function duplicatePicture(
  postId: number,
  side: "current" | "matched",
  size: number,
): Promise<PictureSource | null> {
  const entry = await db.queue_entry.findUnique({
    where: { post_id: postId, state: "error" },
    select: { error_details: true },
  });
  const { data: details } = DuplicateDetails.safeParse(entry?.error_details);
  if (details === undefined) return null;
  const [reported, ownId] =
    side === "current" ? [details.current_url, postId] : [details.matched_url, details.matched_post_id];
  const own = await mediumOf(ownId, 0);
  return sourceOf(postId, side, [...(reported ? [reported] : []), ...(own ? pictureUrls(own, size) : [])]);
}

function sourceOf(post_id: number, part: string, urls: string[]): PictureSource | null {
  return urls.length === 0 ? null : { post_id, part, urls: [...new Set(urls)] };
}
