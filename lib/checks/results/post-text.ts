import { db, type Tx } from "#lib/base/db.ts";

export interface PostTextRow {
  id: number;
  plain_text: string;
  content: string;
  spoiler_text: string | null;
  hashtags: string[];
  media_count: number;
  language: string | null;
  author_key: string;
  author_created_at: Date | null;
  created_at: Date;
  stream_hashtag: string | null;
  media_types: string[];
  has_alt_text: boolean;
  sensitive: boolean;
  author_is_bot: boolean;
  in_reply_to: string | null;
  host: string;
  /** Numbers of the author and of the host for the learner. */
  author: number;
  instance: number;
  version: string;
}

/** `version` changes with the text; verdicts are written only to the same version. */
export async function postTextRows(ids: number[], tx: Tx = db): Promise<PostTextRow[]> {
  return tx.$queryRaw<PostTextRow[]>`
    SELECT id, plain_text, content, spoiler_text, hashtags, media_count, language, author_key, author_created_at,
           created_at, stream_hashtag, sensitive, author_is_bot, in_reply_to,
           ARRAY(SELECT coalesce(m ->> 'type', '') FROM jsonb_array_elements(media) m) AS media_types,
           media @? '$[*].description ? (@ != "" && @ != null)' AS has_alt_text, instance AS host,
           name_number(author_key)::float8 AS author, name_number(instance)::float8 AS instance, md5(plain_text) AS version
      FROM post WHERE id = ANY (${ids}::int[]) AND erased_at IS NULL`;
}

const DAY_MS = 86_400_000;

/** Days at the time of the post; undefined when the source does not tell it. */
export function accountAge({ created_at, author_created_at }: PostTextRow): number | undefined {
  return author_created_at ? (created_at.getTime() - author_created_at.getTime()) / DAY_MS : undefined;
}
