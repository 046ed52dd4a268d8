import type pg from "pg";

/**
 * Makes every post of the queue unconfirmed, and those that may enter it: since the backup its author may have deleted
 * it or refused. Statements for tables without triggers, which hold the same as triggers would.
 *
 * @param from time of the backup
 */
export async function unconfirmPosts(client: pg.Client, from: string): Promise<void> {
  // As before_restore() in prisma/functions/enqueue.sql. Hold 4: unconfirmed, 8: unverifiable.
  await client.query(
    `UPDATE queue_entry SET confirmed_at = '1969-12-31T00:00:00Z',
            holds = CASE WHEN state = 'pending' AND holds & 8 = 0 THEN holds | 4 ELSE holds END`,
  );
  // Earlier confirmations have expired under every CONFIRM_WITHIN_HOURS above 0.
  await client.query(
    `UPDATE post SET confirmed_at = NULL, confirmed_by = NULL
      WHERE confirmed_at > $1::timestamptz - interval '31 days' OR confirmed_at IS NOT NULL AND approved IS NULL`,
    [from],
  );
}
