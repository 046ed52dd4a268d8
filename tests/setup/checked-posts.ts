import { expect } from "@playwright/test";
import { isBlind } from "#lib/review/hide-advice.ts";
import { query } from "./database.ts";

/** The deck leaves a post to the next request while its result is being written, which changes the order of the cards. */
export async function untilChecked(databaseUrl: string, streamId: number): Promise<void> {
  const open = async () => {
    const [row] = await query<{ open: number }>(
      databaseUrl,
      `SELECT count(*)::int AS open FROM post_check c JOIN post p ON p.id = c.post_id
        WHERE p.stream_id = $1
          AND (c.picture_lease_until IS NOT NULL OR c.picture_due_at <= now()
               OR (c.picture_state <> 'waiting' AND c.picture_due_at IS NOT NULL))`,
      [streamId],
    );
    return row?.open;
  };
  await expect.poll(open, { timeout: 30_000 }).toBe(0);
}

/** Gives the next `count` posts ids whose advice is not hidden. At most four: of five in a row, one may be hidden. */
export async function skipBlindIds(databaseUrl: string, count: number): Promise<void> {
  const [row] = await query<{ last: number }>(
    databaseUrl,
    "SELECT coalesce(max(id), 0)::int AS last FROM post",
  );
  let first = (row?.last ?? 0) + 1;
  while (Array.from({ length: count }, (_, n) => first + n).some(isBlind)) first += 1;
  await query(databaseUrl, "SELECT setval(pg_get_serial_sequence('post', 'id'), $1, false)", [first]);
}
