import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { db } from "#lib/db.ts";
import { forgetPictures } from "#lib/media/forget-pictures.ts";
import { cleanupRows } from "./sql.ts";

const BATCH = 1000;
/** Far beyond any delivery, and still a date PostgreSQL can name. */
const LONGEST_DAYS = 1_000_000;

/**
 * Deletes delivered posts older than `retentionDays` days (0 = all), in batches so that no transaction is long.
 * All-time figures count deliveries when they happen, so nothing is lost from them; each post leaves a
 * tombstone, and its cached pictures go. Harmless to call twice. `deadline` stops between batches, the rest is for the next call.
 */
export async function cleanupDelivered(
  actor: Actor,
  retentionDays: number,
  deadline?: Date,
): Promise<{ deleted: number; complete: boolean }> {
  const days = Math.min(retentionDays, LONGEST_DAYS);
  let deleted = 0;
  let complete = true;
  for (;;) {
    const { ids, n } = await cleanupRows(days, BATCH);
    await forgetPictures(ids);
    deleted += n;
    if (ids.length < BATCH) break;
    if (deadline !== undefined && Date.now() >= deadline.getTime()) {
      complete = false;
      break;
    }
  }
  if (deleted > 0) {
    await recordAudit(db, actor, {
      action: "queue.cleanup",
      subject: `delivered posts older than ${days} days`,
      after: { deleted },
    });
  }
  return { deleted, complete };
}
