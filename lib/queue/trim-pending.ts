import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { db } from "#lib/db.ts";
import { forgetPictures } from "#lib/media/forget-pictures.ts";
import { inTransaction } from "#lib/transaction.ts";
import { lockTrim, trimFigures, trimRows, trimSampleRows } from "./sql.ts";

const BATCH = 1000;
/** Hours the counters can be asked for without leaving the calendar. */
const LONGEST_HOURS = 24 * 365 * 100;

export interface TrimPlan {
  pending: number;
  target: number;
  would_delete: number;
}

/**
 * What a trim would do. target = floor(2 × deliveries in the window ÷ lookbackDays); the window is the present
 * UTC hour and the lookbackDays × 24 − 1 before it, from figures that outlive cleanup (contract §3).
 * Without any delivery there is no rate to aim at, and nothing is removed.
 */
export async function planTrim(lookbackDays: number): Promise<TrimPlan> {
  const { pending, deliveries } = await trimFigures(db, Math.min(lookbackDays * 24, LONGEST_HOURS));
  const target = Math.floor((2 * deliveries) / lookbackDays);
  return { pending, target, would_delete: deliveries === 0 ? 0 : Math.max(0, pending - target) };
}

/**
 * Trims pending posts (held ones count, reserved ones neither count nor go) down to the target.
 *
 * Weighted sampling without replacement after Efraimidis & Spirakis (2006): the posts with the largest u^(1/w)
 * go, u uniform in (0, 1); sorting by −ln(u)/w ascending is the same order without underflow. The weight is
 *
 *   w = (1 + age in days) · (1 + 10 · author's share of the pending posts) / (1 + ln(1 + likes))
 *
 * so it grows with the post's age (`created_at`) and the author's share, and falls with likes; every post keeps
 * a chance to stay. Each batch looks at the figures again under a lock, so two trims at once, or a consumer
 * emptying the queue meanwhile, never bring it below the target.
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
