import { noUndoWarning, recordDeletion } from "#lib/actions/deletions.ts";
import { createPreview, takeCounted } from "#lib/actions/previews.ts";
import type { ActionPreview } from "#lib/actions/schema.ts";
import type { Actor, Principal } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { ApiError } from "#lib/errors.ts";
import { forgetPictures } from "#lib/media/forget-pictures.ts";
import { inTransaction } from "#lib/transaction.ts";
import { paceRow } from "./overview-sql.ts";
import { firstOf, startOf } from "./pace.ts";
import { lockTrim, pendingCount, trimRows, trimSampleRows } from "./sql.ts";

const BATCH = 1000;
/** Keeps the window within PostgreSQL's range of dates. */
const MAX_DAYS = 365 * 100;

export interface TrimPlan {
  pending: number;
  target: number;
  would_delete: number;
}

/**
 * target = floor(2 × deliveries in the window ÷ lookbackDays) (docs/api.md#trim). The window is the current UTC hour
 * and the lookbackDays × 24 − 1 hours before it. Without any delivery in it nothing is deleted.
 */
export async function planTrim(lookbackDays: number): Promise<TrimPlan> {
  return (await planWithHistory(lookbackDays)).plan;
}

async function planWithHistory(lookbackDays: number): Promise<{ plan: TrimPlan; tooLong: number | null }> {
  const days = Math.min(lookbackDays, MAX_DAYS);
  const { now, pending, deliveries_ever, hours } = await paceRow(days * 24);
  const deliveries = hours.reduce((sum, row) => sum + row.deliveries, 0);
  const target = Math.floor((2 * deliveries) / lookbackDays);
  const plan = { pending, target, would_delete: deliveries === 0 ? 0 : Math.max(0, pending - target) };
  const first = firstOf(hours, "deliveries");
  const isTooLong = deliveries > 0 && deliveries === deliveries_ever && first > startOf(days, now);
  return { plan, tooLong: isTooLong ? first : null };
}

/** "2026-05-04 13:00 UTC" */
const utcMinute = (time: number) => `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;

interface CountedTrim {
  plan: TrimPlan;
  chosen: number[];
}

const argsOf = (lookbackDays: number) => ({ lookback_days: lookbackDays });

/**
 * Chooses the posts that a use of the token deletes.
 *
 * @throws trim_window_too_long when the window begins before the first delivery: the rate would be too low. A call without
 *   a token is not refused, because existing programs trim on the first day.
 */
export async function previewTrim(principal: Principal, lookbackDays: number): Promise<ActionPreview> {
  const { plan, tooLong } = await planWithHistory(lookbackDays);
  if (tooLong !== null) throw new ApiError("trim_window_too_long", { first: utcMinute(tooLong) });
  const chosen = plan.would_delete === 0 ? [] : await trimSampleRows(plan.would_delete);
  const data: CountedTrim = { plan, chosen };
  return createPreview(principal, "trim", argsOf(lookbackDays), data, {
    changes: chosen.length,
    counts: { posts: chosen.length, pending: plan.pending, target: plan.target },
    warnings: noUndoWarning(chosen.length),
  });
}

/**
 * Deletes the posts that `previewTrim` chose, once, as far as they are still pending and above the target.
 *
 * @throws action_done, preview_not_valid
 */
export async function trimCounted(
  principal: Principal,
  lookbackDays: number,
  preview: string,
): Promise<{ deleted: number }> {
  const { plan, chosen } = await inTransaction((tx) =>
    takeCounted<CountedTrim>(tx, principal, preview, "trim", argsOf(lookbackDays)),
  );
  return deleteChosen(principal, plan, chosen, preview);
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
  return deleteChosen(actor, plan, await trimSampleRows(plan.would_delete));
}

async function deleteChosen(
  actor: Actor,
  plan: TrimPlan,
  chosen: number[],
  preview?: string,
): Promise<{ deleted: number }> {
  let deleted = 0;
  for (let from = 0; from < chosen.length; from += BATCH) {
    const removed = await inTransaction(async (tx) => {
      await lockTrim(tx);
      const pending = await pendingCount(tx);
      const excess = pending - plan.target;
      return excess <= 0 ? null : trimRows(tx, chosen.slice(from, from + Math.min(BATCH, excess)));
    });
    if (removed === null) break;
    await forgetPictures(removed.ids);
    deleted += removed.n;
  }
  const changed = deleted;
  await inTransaction(async (tx) => {
    await recordAudit(tx, actor, {
      action: "queue.trim",
      subject: `pending posts to ${plan.target}`,
      before: { pending: plan.pending },
      after: { deleted: changed },
    });
    await recordDeletion(tx, actor, "trim", { id: preview, changed });
  });
  return { deleted };
}
