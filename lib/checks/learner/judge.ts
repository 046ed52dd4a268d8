import type { CheckSettings } from "#lib/checks/results/check-names.ts";
import { isDecisive, isOver, roundScore, type Check, type Opinion } from "#lib/checks/results/opinion.ts";
import type { LearnerReason, RawChecks } from "#lib/checks/results/raw-checks.ts";
import { reasonSentences } from "./explain.ts";

/** The learner gives a score from its first model on; it votes once it has a threshold. */
export function judgeLearner(
  { learner_score, learner_version: version, learner_reasons }: RawChecks,
  { checks: { learner } }: CheckSettings,
): Opinion {
  if (!learner.enabled || learner_score === null || version === null) {
    return { checks: [], reasons: [], failed: [] };
  }
  const { threshold, votes } = learner;
  const score = roundScore(learner_score);
  const sentences = sentencesFor(score >= 0.5 ? 1 : -1, learner_reasons);
  const check: Check = {
    name: "learner",
    kind: "learner",
    version: String(version),
    score,
    threshold,
    votes,
    reason: sentences[0] ?? null,
  };
  const decisive = isDecisive(check);
  // Without a vote the learner is not yet good enough to be quoted.
  const shown = votes && isOver(check) ? sentences : [];
  return {
    checks: [check],
    reasons: shown.map((text, index) => ({ text, strength: score / (index + 1), decisive })),
    failed: [],
  };
}

/** @param sign 1: why posts like this were rejected; −1: approved */
function sentencesFor(sign: 1 | -1, reasons: readonly LearnerReason[]): string[] {
  const side = reasons.filter(({ weight }) => weight * sign > 0);
  if (side.length === 0) return [];
  return reasonSentences(
    side.map(({ feature, weight, reviewed, rejected }) => ({
      feature,
      weight,
      count: reviewed === undefined || rejected === undefined ? null : { reviewed, rejected },
    })),
  );
}
