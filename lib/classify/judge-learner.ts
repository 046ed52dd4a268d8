import type { CheckSettings } from "./check-settings.ts";
import type { RawChecks } from "./raw-checks.ts";
import { roundScore, type Opinion } from "./verdict.ts";

/** The learner gives a score from its first model on; it votes once it has a threshold. */
export function judgeLearner(
  { learner_score: score, learner_version: version }: RawChecks,
  { checks: { learner } }: CheckSettings,
): Opinion {
  if (!learner.enabled || score === null || version === null) return { checks: [], reasons: [], failed: [] };
  const { threshold, votes } = learner;
  return {
    checks: [
      {
        name: "learner",
        kind: "learner",
        version: String(version),
        score: roundScore(score),
        threshold,
        votes,
        reason: null,
      },
    ],
    reasons: [],
    failed: [],
  };
}
