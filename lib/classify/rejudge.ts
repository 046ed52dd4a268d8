import { db } from "#lib/db.ts";
import { readCheckSettings, type CheckSettings } from "./check-settings.ts";
import { advanceJob, checkedIdsBelow, openJob, settingsKey } from "./check-jobs-sql.ts";
import { changedVerdicts, judgePosts } from "./judge-posts.ts";
import { rawRows } from "./judge-sql.ts";

const BATCH = 2_000;

export interface Limits {
  deadline: Date;
  signal?: AbortSignal | undefined;
}

export function isTimeUp({ deadline, signal }: Limits): boolean {
  return signal?.aborted === true || Date.now() >= deadline.getTime();
}

/**
 * Computes the verdicts of all posts again after a setting of a check, a weight of a rule, or a question or its
 * vote changed. Runs no check. Continues where a killed process stopped; doing a batch twice changes nothing.
 *
 * @returns `changed`: verdicts in this call; `more`: unfinished at the deadline
 */
export async function rejudgeAll(limits: Limits): Promise<{ changed: number; more: boolean }> {
  for (let changed = 0; ;) {
    const job = await openJob("rejudge", await settingsKey());
    if (job === null) return { changed, more: false };
    if (isTimeUp(limits)) return { changed, more: true };
    const settings = await readCheckSettings();
    const ids = await checkedIdsBelow(job.done_from, BATCH, "all");
    changed += await rejudge(ids, settings);
    await advanceJob(job, ids.at(-1) ?? null);
  }
}

/** Locks only posts whose verdict differs. */
export async function rejudge(ids: readonly number[], settings: CheckSettings): Promise<number> {
  const changed = changedVerdicts(await rawRows(db, ids), settings);
  return judgePosts(changed.map((row) => row.id));
}
