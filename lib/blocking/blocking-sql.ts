import { db } from "#lib/base/db.ts";

export interface OwnStreamRow {
  hashtag: string;
  instance: string;
}

/** Streams that read one of these hashtags, in order of id. */
export function streamsOfHashtags(folded: string[]): Promise<OwnStreamRow[]> {
  return db.$queryRaw<OwnStreamRow[]>`
    SELECT hashtag, instance FROM stream WHERE hashtag_folded = ANY (${folded}::text[]) ORDER BY id`;
}
