import { db } from "#lib/db.ts";

export interface PostBlockRow {
  id: number;
  author_blocked: boolean;
  blocked_hashtags: string[];
}

/** What of posts is on the block lists, whether or not the lists reject on fetch. Hashtags as the post wrote them. */
export function postBlockRows(ids: number[]): Promise<PostBlockRow[]> {
  return db.$queryRaw<PostBlockRow[]>`
    SELECT p.id, user_blocked(p.author_key) AS author_blocked,
           ARRAY(SELECT t.tag FROM unnest(p.hashtags, p.hashtags_folded) AS t (tag, folded)
                  WHERE t.folded IN (SELECT hashtag_folded FROM blocked_hashtag)) AS blocked_hashtags
      FROM post p WHERE p.id = ANY (${ids}::int[])`;
}
