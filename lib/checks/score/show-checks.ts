import { now, toIso } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import type { CheckSettings } from "#lib/checks/results/check-names.ts";
import type { Check } from "#lib/checks/results/opinion.ts";
import type { RawChecks } from "#lib/checks/results/raw-checks.ts";
import { readCheckSettings } from "#lib/checks/settings/check-settings.ts";
import { judge } from "#lib/checks/verdict/judge.ts";
import { rawRows } from "#lib/checks/verdict/sql.ts";
import type { Checks } from "./schema.ts";
import { pictureDueAt } from "./sql.ts";

/** The results of the checks of a post, with the present thresholds and votes; none before the first check. */
export async function showChecks(postId: number): Promise<Checks> {
  const [[raw], settings, dueAt] = await Promise.all([
    rawRows(db, [postId]),
    readCheckSettings(),
    pictureDueAt(postId),
  ]);
  if (!raw) return { checks: [], picture_scores: [] };
  return {
    checks: withNextTry(judge(raw, settings).checks, raw, dueAt, settings),
    picture_scores: raw.pictures.map(({ source: _source, ...picture }) => picture),
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
