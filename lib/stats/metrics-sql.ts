import { db } from "#lib/base/db.ts";
import type { stream } from "#prisma/generated/client.ts";

/** Seconds since the approval of the oldest post that is neither held nor kept back; null without one. */
export async function oldestReadyAge(): Promise<number | null> {
  const rows = await db.$queryRaw<{ age: number | null }[]>`
    SELECT extract(epoch FROM now() - min(approved_at))::float8 AS age FROM queue_entry
     WHERE state = 'pending' AND holds = 0 AND not_before IS NULL`;
  return rows[0]?.age ?? null;
}

/** Failures and last success of active streams, by id. `last_success`: seconds since 1970. */
export function streamRows(
  limit: number,
): Promise<(Pick<stream, "id" | "hashtag" | "instance"> & { failures: number; last_success: number })[]> {
  return db.$queryRaw`
    SELECT id, hashtag, instance, error_count AS failures,
           extract(epoch FROM coalesce(last_fetch, created_at))::float8 AS last_success
      FROM stream WHERE active ORDER BY id LIMIT ${limit}::int`;
}

/** Events of all time of keys that may take posts, by id. */
export function keyRows(limit: number): Promise<{ id: number; name: string; event: string; n: number }[]> {
  return db.$queryRaw`
    SELECT k.id, k.name, event, coalesce(sum(n), 0)::float8 AS n
      FROM (SELECT id, name FROM api_key
             WHERE 'consume' = ANY (scopes) AND revoked_at IS NULL AND coalesce(expires_at > now(), true)
             ORDER BY id LIMIT ${limit}::int) k
      CROSS JOIN unnest('{delivered,errors,nacks,timeouts}'::text[]) event
      LEFT JOIN tally_now('{bot}') ON key = k.id::text AND metric = event
     GROUP BY 1, 2, 3 ORDER BY 1, 3`;
}
