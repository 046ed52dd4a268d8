import type { CheckSettings } from "#lib/checks/results/check-names.ts";
import { isDecisive, isOver, roundScore, type Check, type Opinion } from "#lib/checks/results/opinion.ts";
import type { RawChecks } from "#lib/checks/results/raw-checks.ts";
import { reasonSentences } from "./explain.ts";

export const LEARNER_VERSION = "1";

/** The learner gives a score once posts of both kinds were decided; it votes once it has a threshold. */
export function judgeLearner(
  { learner_score, learner_reasons }: RawChecks,
  { checks: { learner } }: CheckSettings,
): Opinion {
  if (!learner.enabled || learner_score === null) return { checks: [], reasons: [], failed: [] };
  const { threshold, votes } = learner;
  const score = roundScore(learner_score);
  const sign = score >= 0.5 ? 1 : -1;
  const sentences = reasonSentences(learner_reasons.filter(({ weight }) => weight * sign > 0));
  const check: Check = {
    name: "learner",
    kind: "learner",
    version: LEARNER_VERSION,
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
