import { recordAudit } from "#lib/accounts/record-audit.ts";
import { toIso } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { readTotals } from "#lib/base/tally.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { forgetPictures } from "#lib/media/cache.ts";
import { hourRows } from "./overview-sql.ts";
import type { Trimmed } from "./schema.ts";
import { lockTrim, trimRows, trimSampleRows } from "./sql.ts";

const BATCH = 1000;
/** Keeps the window within PostgreSQL's range of dates. */
const MAX_DAYS = 365 * 100;

/**
 * Counts what a trim would delete (docs/api.md#trim): target = floor(2 × deliveries in the window ÷ lookbackDays). The window
 * is the current UTC hour and the lookbackDays × 24 − 1 hours before it. Without a delivery in it nothing is deleted.
 */
export async function planTrim(lookbackDays: number): Promise<Required<Omit<Trimmed, "deleted">>> {
  const days = Math.min(lookbackDays, MAX_DAYS);
  const [{ now, levels }, hours] = await Promise.all([readTotals(), hourRows(days * 24)]);
  const { pending } = levels;
  const deliveries = hours.reduce((sum, row) => sum + row.deliveries, 0);
  const target = Math.floor((2 * deliveries) / lookbackDays);
  const would_delete = deliveries === 0 ? 0 : Math.max(0, pending - target);
  return { pending, target, would_delete, as_of: toIso(now) };
}

/**
 * Deletes pending posts, held ones included, down to the target. Weighted sampling without replacement (Efraimidis &
 * Spirakis, 2006): the posts with the smallest −ln(u)/w are deleted, u uniform in (0, 1), with the weight
 *
 *   w = (1 + age in days) · (1 + 10 · author's share of the pending posts) / (1 + ln(1 + likes))
 *
 * Each batch counts again under a lock, so concurrent trims or consumers never bring the queue below the target.
 *
 * @param asOf time of a count: posts that were approved later stay
 */
export async function trimPending(
  actor: Actor,
  lookbackDays: number,
  asOf?: Date,
): Promise<{ deleted: number }> {
  const plan = await planTrim(lookbackDays);
  if (plan.would_delete === 0) return { deleted: 0 };
  const chosen = await trimSampleRows(plan.would_delete, asOf ?? null);
  let deleted = 0;
  for (let from = 0; from < chosen.length; from += BATCH) {
    const removed = await inTransaction(async (tx) => {
      await lockTrim(tx);
      const { levels } = await readTotals(tx);
      const excess = levels.pending - plan.target;
      return excess <= 0 ? null : trimRows(tx, chosen.slice(from, from + Math.min(BATCH, excess)));
    });
    if (removed === null) break;
    await forgetPictures(removed.ids);
    deleted += removed.n;
  }
  await recordAudit(db, actor, {
    action: "queue.trim",
    subject: `pending posts to ${plan.target}`,
    before: { pending: plan.pending },
    after: { deleted },
  });
  return { deleted };
}
