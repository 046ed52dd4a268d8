import { db } from "#lib/base/db.ts";

export interface SilentStream {
  id: number;
  hashtag: string;
  instance: string;
}

const LISTED = 100;

/**
 * Active streams without a successful fetch for a day. Streams that are fetched on demand count only after a failure,
 * and a resumed stream has 15 minutes for its first fetch.
 */
export function listSilentStreams(): Promise<SilentStream[]> {
  return db.$queryRaw<SilentStream[]>`
    SELECT id, hashtag, instance FROM stream
     WHERE active AND coalesce(last_fetch, created_at) < now() - interval '1 day 15 minutes'
       AND (last_error IS NOT NULL OR next_scheduled_fetch < now() - interval '15 minutes')
     ORDER BY id LIMIT ${LISTED}`;
}
