import { z } from "zod";
import { db, type Tx } from "#lib/base/db.ts";

/** What the text stage reads of a post, stored or not: columns of `post`. */
export interface PostText {
  uri: string;
  content: string;
  plain_text: string;
  spoiler_text: string | null;
  hashtags: readonly string[];
  /** Kind and description of each attachment. */
  media: unknown;
  language: string | null;
  sensitive: boolean;
  author_key: string;
  author_is_bot: boolean;
  author_created_at: Date | string | null;
  instance: string;
  created_at: Date | string;
  in_reply_to: string | null;
  stream_hashtag: string | null;
}

/** `version` rises with each edit; verdicts are written only to the same version. */
export type StoredText = PostText & { id: number; version: number; text_fingerprint: bigint | null };

export function postTexts(ids: readonly number[], tx: Tx = db): Promise<StoredText[]> {
  return tx.post.findMany({
    where: { id: { in: [...ids] }, erased_at: null },
    select: {
      id: true,
      version: true,
      text_fingerprint: true,
      uri: true,
      content: true,
      plain_text: true,
      spoiler_text: true,
      hashtags: true,
      media: true,
      language: true,
      sensitive: true,
      author_key: true,
      author_is_bot: true,
      author_created_at: true,
      instance: true,
      created_at: true,
      in_reply_to: true,
      stream_hashtag: true,
    },
  });
}

export function hasMedia({ media }: Pick<PostText, "media">): boolean {
  return Array.isArray(media) && media.length > 0;
}

/** Of each attachment: "image", "video", … */
export function mediaTypes({ media }: Pick<PostText, "media">): string[] {
  const parsed = z.array(z.object({ type: z.string() })).safeParse(media);
  return parsed.success ? parsed.data.map(({ type }) => type) : [];
}

const DAY_MS = 86_400_000;

/** Days at the time of the post; undefined when the source does not tell it. */
export function accountAge({ created_at, author_created_at }: PostText): number | undefined {
  if (author_created_at === null) return undefined;
  return (new Date(created_at).getTime() - new Date(author_created_at).getTime()) / DAY_MS;
}
