import type { Tx } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { confirmEntries } from "#lib/queue/queue-entries.ts";
import { recordEvents } from "#lib/queue/record-event.ts";

/**
 * Their own servers have just shown these posts.
 *
 * @param by the server that showed them instead
 */
export async function markConfirmed(tx: Tx, ids: number[], by: string | null = null): Promise<void> {
  if (ids.length === 0) return;
  if (by !== null) await recordInstead(tx, ids, by);
  await tx.$executeRaw`
    UPDATE post SET confirmed_at = now(), confirmed_by = coalesce(${by}, uri_host(uri)), source_checked_at = now(),
      source_missing_at = NULL, differs_since = NULL
     WHERE id = ANY (${ids}::int[])`;
  await confirmEntries(tx, ids);
  await tx.source_check.deleteMany({ where: { post_id: { in: ids } } });
}

/** A history line when another server begins to speak for a post. */
async function recordInstead(tx: Tx, ids: number[], by: string): Promise<void> {
  const rows = await tx.$queryRaw<{ post_id: number; host: string }[]>`
    SELECT id AS post_id, uri_host(uri) AS host FROM post
     WHERE id = ANY (${ids}::int[]) AND confirmed_by IS DISTINCT FROM ${by}`;
  const lines = rows.map(({ post_id, host }) => ({
    post_id,
    action: "confirm",
    note: `confirmed by ${by}; ${host} answers no strangers`,
  }));
  if (lines.length > 0) await recordEvents(tx, servicePrincipal, lines);
}

/** Whether the source was already missing an hour ago. */
export async function markSourceMissing(tx: Tx, id: number): Promise<boolean> {
  const rows = await tx.$queryRaw<{ gone: boolean }[]>`
    UPDATE post SET source_missing_at = coalesce(source_missing_at, now()) WHERE id = ${id}
    RETURNING source_missing_at <= now() - interval '1 hour' AS gone`;
  return rows[0]?.gone === true;
}

export async function markSourceChecked(tx: Tx, id: number): Promise<void> {
  await tx.$executeRaw`UPDATE post SET source_checked_at = now() WHERE id = ${id}`;
}

/** Longest pause between checks of a post whose server cannot be read. */
const MAX_PAUSE_HOURS = 6;

/** Without `minutes`: after 30 s, doubled with each failure in a row. */
export async function putOffCheck(
  tx: Tx,
  id: number,
  pause: { minutes: number } | { not_before: Date | null },
): Promise<void> {
  if ("minutes" in pause) {
    await tx.$executeRaw`
      INSERT INTO source_check AS c (post_id, host, due_at)
      SELECT id, uri_host(uri), now() + ${pause.minutes}::int * interval '1 minute' FROM post WHERE id = ${id}
      ON CONFLICT (post_id) DO UPDATE SET due_at = excluded.due_at`;
    return;
  }
  await tx.$executeRaw`
    INSERT INTO source_check AS c (post_id, host, due_at, failures)
    SELECT id, uri_host(uri), greatest(now() + interval '30 seconds', ${pause.not_before}::timestamptz), 1
      FROM post WHERE id = ${id}
    ON CONFLICT (post_id) DO UPDATE SET failures = least(c.failures + 1, 30), due_at = greatest(
      now() + least(30 * power(2, least(c.failures, 20)), ${MAX_PAUSE_HOURS * 3600}) * interval '1 second',
      ${pause.not_before}::timestamptz)`;
}
