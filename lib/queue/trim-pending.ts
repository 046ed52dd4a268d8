import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { db } from "#lib/db.ts";
import { forgetPictures } from "#lib/media/forget-pictures.ts";
import { inTransaction } from "#lib/transaction.ts";
import { lockTrim, trimFigures, trimRows, trimSampleRows } from "./sql.ts";

const BATCH = 1000;
/** Keeps the window within PostgreSQL's range of dates. */
const MAX_HOURS = 24 * 365 * 100;

export interface TrimPlan {
  pending: number;
  target: number;
  would_delete: number;
}

/**
 * target = floor(2 × deliveries in the window ÷ lookbackDays) (docs/api.md#trim). The window is the current UTC hour
 * and the lookbackDays × 24 − 1 hours before it. Without any delivery nothing is deleted.
 */
export async function planTrim(lookbackDays: number): Promise<TrimPlan> {
  const { pending, deliveries } = await trimFigures(db, Math.min(lookbackDays * 24, MAX_HOURS));
  const target = Math.floor((2 * deliveries) / lookbackDays);
  return { pending, target, would_delete: deliveries === 0 ? 0 : Math.max(0, pending - target) };
}

/**
 * Deletes pending posts, held ones included, down to the target. Weighted sampling without replacement (Efraimidis &
 * Spirakis, 2006): the posts with the smallest −ln(u)/w are deleted, u uniform in (0, 1), with the weight
 *
 *   w = (1 + age in days) · (1 + 10 · author's share of the pending posts) / (1 + ln(1 + likes))
 *
 * Each batch counts again under a lock, so concurrent trims or consumers never bring the queue below the target.
 */
export async function trimPending(actor: Actor, lookbackDays: number): Promise<{ deleted: number }> {
  const plan = await planTrim(lookbackDays);
  if (plan.would_delete === 0) return { deleted: 0 };
  const chosen = await trimSampleRows(plan.would_delete);
  let deleted = 0;
  for (let from = 0; from < chosen.length; from += BATCH) {
    const removed = await inTransaction(async (tx) => {
      await lockTrim(tx);
      const { pending } = await trimFigures(tx, 1);
      const excess = pending - plan.target;
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
