import { recordAudit } from "#lib/audit/record-audit.ts";
import { servicePrincipal } from "#lib/auth/principal.ts";
import { db } from "#lib/db.ts";
import { wilsonInterval } from "#lib/checks/learner/metrics.ts";
import { lockSettings } from "#lib/checks/settings/change-check-settings.ts";
import { checkNames, type CheckName } from "#lib/checks/results/check-names.ts";
import { logStateRow } from "./sql.ts";
import { hitRows, stopChecks } from "./stop-overruled-sql.ts";

/** With fewer hits a check goes on. */
const MIN_HITS = 30;
/** Newest hits that count, so that a check that has become bad is found. */
const NEWEST_HITS = 100;
/** Two-sided 95 %. */
const Z = 1.96;

let looked = "";

/** New reviews since this process last looked. */
export async function isOverruleCheckDue(): Promise<boolean> {
  return JSON.stringify(await logStateRow()) !== looked;
}

/**
 * A voting check whose hits reviewers approve more often than not stops voting. Hits count since the setting of the
 * check was last changed.
 *
 * @returns checks that stopped
 */
export async function stopOverruled(): Promise<CheckName[]> {
  const state = JSON.stringify(await logStateRow());
  const hits = await hitRows(db, checkNames, NEWEST_HITS);
  const stopped = hits.some(isOverruled) ? await stop() : [];
  looked = state;
  return stopped;
}

async function stop(): Promise<CheckName[]> {
  return db.$transaction(async (tx) => {
    await lockSettings(tx);
    // Read again: an admin may have changed the check meanwhile.
    const overruled = (await hitRows(tx, checkNames, NEWEST_HITS)).filter(isOverruled);
    if (overruled.length === 0) return [];
    const reasons = overruled.map(({ name, hits, approved }) => ({
      name,
      why: `Reviewers approved ${approved} of the last ${hits} posts that it advised to reject.`,
    }));
    await stopChecks(tx, reasons);
    for (const { name, why } of reasons) {
      await recordAudit(tx, servicePrincipal, {
        action: "check.stop",
        subject: name,
        before: { votes: true },
        after: { votes: false, stopped_why: why },
      });
    }
    return overruled.map(({ name }) => name as CheckName);
  });
}

function isOverruled({ hits, approved }: { hits: number; approved: number }): boolean {
  const precision = wilsonInterval(hits - approved, hits, Z);
  return hits >= MIN_HITS && precision !== null && precision.high < 0.5;
}
