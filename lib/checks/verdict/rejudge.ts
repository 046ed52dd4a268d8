import type { CheckSettings } from "#lib/checks/results/check-names.ts";
import { readCheckSettings, settingsKey } from "#lib/checks/settings/check-settings.ts";
import { advanceJob, openJob } from "./jobs-sql.ts";
import { changedVerdicts, judgePosts } from "./judge-posts.ts";
import { rawRowsBelow, type RawRow } from "./sql.ts";

const BATCH = 2_000;

export interface Limits {
  deadline: Date;
  signal?: AbortSignal | undefined;
}

export function isTimeUp({ deadline, signal }: Limits): boolean {
  return signal?.aborted === true || Date.now() >= deadline.getTime();
}

/**
 * Computes the verdicts of all posts again after a setting changed. Runs no check. Continues where a killed process stopped; doing a batch twice changes nothing.
 *
 * @returns `changed`: verdicts in this call; `more`: unfinished at the deadline
 */
export async function rejudgeAll(limits: Limits): Promise<{ changed: number; more: boolean }> {
  let changed = 0;
  let ahead: { below: number; rows: Promise<RawRow[]> } | null = null;
  for (;;) {
    const job = await openJob("rejudge", await settingsKey());
    if (job === null) return { changed, more: false };
    if (isTimeUp(limits)) return { changed, more: true };
    const settings = await readCheckSettings();
    // Newer settings, or another process, may have moved the position.
    const rows: RawRow[] = await (ahead?.below === job.done_from
      ? ahead.rows
      : rawRowsBelow(job.done_from, BATCH));
    const last = rows.at(-1)?.id ?? null;
    // The database reads the next posts while these are judged.
    ahead = last === null ? null : { below: last, rows: rawRowsBelow(last, BATCH) };
    ahead?.rows.catch(() => undefined);
    changed += await judgeChanged(rows, settings);
    await advanceJob(job, last);
  }
}

/** Locks only posts whose verdict differs. */
export async function judgeChanged(rows: readonly RawRow[], settings: CheckSettings): Promise<number> {
  const changed = await changedVerdicts(rows, settings);
  return judgePosts(changed.map((row) => row.id));
}
