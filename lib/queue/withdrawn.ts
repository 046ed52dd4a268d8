import { isoTimes } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import type { WithdrawnPosts, WithdrawnQuery } from "./schema.ts";

/** Posts that consumers had and that were withdrawn since, newest first. */
export async function listWithdrawn({ since, skip, limit }: WithdrawnQuery): Promise<WithdrawnPosts> {
  const rows = await db.$queryRaw<{ fenliu_post_id: number; withdrawn_at: Date }[]>`
    SELECT post_id AS fenliu_post_id, at AS withdrawn_at FROM post_event
     WHERE action = 'withdrawn' AND details ->> 'batch_id' IS NULL
       AND (${since ?? null}::timestamptz IS NULL OR at >= ${since ?? null}::timestamptz)
     ORDER BY id DESC LIMIT ${limit} OFFSET ${skip}`;
  return { withdrawn: rows.map(isoTimes) };
}
