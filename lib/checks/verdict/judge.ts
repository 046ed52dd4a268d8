import { judgeLearner } from "#lib/checks/learner/judge.ts";
import { judgePictures } from "#lib/checks/pictures/judge.ts";
import { judgeRemote } from "#lib/checks/remote/judge.ts";
import type { CheckName, CheckSettings } from "#lib/checks/results/check-names.ts";
import { isDecisive, type Check, type Opinion, type Verdict } from "#lib/checks/results/opinion.ts";
import type { RawChecks } from "#lib/checks/results/raw-checks.ts";
import { judgeRules } from "#lib/checks/rules/judge.ts";

const MAX_REASONS = 3;

/**
 * Computes a verdict from stored results, without running a check.
 *
 * `would_reject`: a voting check is at or above its threshold. A failed check does not vote and is named in the reasons.
 * `score`: of the learner when it votes, else of the rules; raised to that of a voting picture check, and to that of
 * each check that advises rejection.
 */
export function judge(raw: RawChecks, settings: CheckSettings): Verdict {
  const rules = judgeRules(raw.rules, settings);
  const remote = judgeRemote(raw, settings);
  const pictures = judgePictures(raw, settings, remote.categories);
  const opinions = [rules, judgeLearner(raw, settings), pictures, remote];
  const checks = opinions.flatMap((opinion) => opinion.checks);
  const voters = checks.filter((check) => check.votes && check.score !== null);
  return {
    would_reject: checks.some(isDecisive),
    score: scoreOf(checks, voters),
    reasons: chooseReasons(opinions),
    checks,
    vision_category: pictures.category,
    vision_confidence: pictures.confidence,
    text_reason: rules.reasons[0]?.text ?? null,
  };
}

function scoreOf(checks: readonly Check[], voters: readonly Check[]): number {
  const named = (name: CheckName) => voters.find((check) => check.name === name)?.score;
  const base = named("learner") ?? checks.find((check) => check.name === "rules")?.score ?? 0;
  const over = voters.filter(isDecisive).map((check) => check.score ?? 0);
  return Math.max(base, named("picture_explicit") ?? 0, ...over);
}

/** Reasons of checks that advise rejection come before all others. */
function chooseReasons(opinions: readonly Opinion[]): string[] {
  const failed = opinions.flatMap((opinion) => opinion.failed);
  const sorted = opinions
    .flatMap(({ reasons }) => reasons)
    .sort((a, b) => Number(b.decisive) - Number(a.decisive) || b.strength - a.strength);
  const max = failed.length > 0 ? MAX_REASONS - 1 : MAX_REASONS;
  const reasons = [...new Set(sorted.map((reason) => reason.text))].slice(0, max);
  if (failed.length > 0) reasons.push(`Could not be checked: ${failed.join(", ")}.`);
  return reasons;
}
