import { expect } from "@playwright/test";
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
