import { db, type Tx } from "#lib/base/db.ts";

/** Columns of `post` that the text stage reads. The post need not be stored. */
export interface PostText {
  uri: string;
  content: string;
  plain_text: string;
  spoiler_text: string | null;
  hashtags: readonly string[];
  /** `type`: "image", "video", … */
  media: readonly { type: string }[];
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
  return tx.$queryRaw`
    SELECT id, version, text_fingerprint, uri, content, plain_text, spoiler_text, hashtags, media, language, sensitive,
           author_key, author_is_bot, author_created_at, instance, created_at, in_reply_to, stream_hashtag
      FROM post WHERE id = ANY (${[...ids]}::int[]) AND erased_at IS NULL`;
}

const DAY_MS = 86_400_000;

/** Age of the account in days when the post was written; undefined when the source does not state it. */
export function accountAge({ created_at, author_created_at }: PostText): number | undefined {
  if (author_created_at === null) return undefined;
  return (new Date(created_at).getTime() - new Date(author_created_at).getTime()) / DAY_MS;
}
