import { now, toIso } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { readCheckSettings } from "#lib/checks/settings/check-settings.ts";
import type { CheckSettings } from "#lib/checks/results/check-names.ts";
import { batchScore } from "./classify-posts.ts";
import { rawRows } from "#lib/checks/verdict/sql.ts";
import { judge } from "#lib/checks/verdict/judge.ts";
import type { RawChecks } from "#lib/checks/results/raw-checks.ts";
import type { CheckedAgain, Score } from "./schema.ts";
import { scoreRow } from "./score-sql.ts";
import type { Check } from "#lib/checks/results/opinion.ts";

/**
 * The results of the checks of a post, with the present thresholds and votes.
 *
 * @throws post_not_found
 */
export async function getScore(postId: number): Promise<Score> {
  const row = await scoreRow(postId);
  if (row === null) throw new ApiError("post_not_found");
  const [[raw], settings] = await Promise.all([rawRows(db, [postId]), readCheckSettings()]);
  const checks = raw ? withNextTry(judge(raw, settings).checks, raw, row.picture_due_at, settings) : [];
  return {
    post_id: postId,
    ai_would_reject: row.ai_would_reject,
    ai_score: row.ai_score,
    vision_category: row.vision_category,
    checks,
    picture_state: raw?.picture_state ?? null,
    pictures: raw?.pictures.map(({ source: _source, ...picture }) => picture) ?? [],
  };
}

/** Says why a picture waits. Not stored with the verdict: the time changes with each attempt. */
function withNextTry(
  checks: Check[],
  { picture_state, pictures }: RawChecks,
  dueAt: Date | null,
  settings: CheckSettings,
): Check[] {
  const failed = pictures.find(({ state }) => state === "failed");
  const { enabled, votes } = settings.checks.picture_explicit;
  if (picture_state !== "waiting" || failed === undefined || dueAt === null || !enabled) return checks;
  const next = dueAt > now() ? `Next try at ${toIso(dueAt)}.` : "It is tried again now.";
  const reason = `Not yet: ${failed.error ?? "The picture could not be read."} ${next}`;
  const name = "picture_explicit";
  if (checks.some((check) => check.name === name))
    return checks.map((check) =>
      check.name === name ? { ...check, reason: check.reason ?? reason } : check,
    );
  const { engine: version } = failed;
  return [...checks, { name, kind: "picture", version, score: null, threshold: null, votes, reason }];
}

/**
 * Runs the checks of a post again.
 *
 * @throws post_not_found
 */
export async function checkAgain(postId: number): Promise<CheckedAgain> {
  const { queued, not_found } = await batchScore([postId]);
  if (not_found.length > 0) throw new ApiError("post_not_found");
  return { ...(await getScore(postId)), queued: queued > 0 };
}
