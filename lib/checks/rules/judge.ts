import type { CheckSettings } from "#lib/checks/results/check-names.ts";
import { isDecisive, roundScore, type Check, type Opinion } from "#lib/checks/results/opinion.ts";
import type { RawRule } from "#lib/checks/results/raw-checks.ts";
import { rules } from "./rules.ts";

const RULES_VERSION = "1";

const weights: ReadonlyMap<string, number> = new Map(rules.map(({ name, weight }) => [name, weight]));

/** 1 − Π(1 − weight) over the rules that applied (independent probabilities), and a line for each of them. */
export function judgeRules(raw: readonly RawRule[], settings: CheckSettings): Opinion {
  const { enabled, votes, threshold } = settings.checks.rules;
  if (!enabled) return { checks: [], reasons: [], failed: [] };
  const hits = raw.flatMap(({ name, reason }): Check[] => {
    const score = weights.get(name);
    if (score === undefined || !settings.rules.has(name)) return [];
    return [{ name, kind: "rule", version: RULES_VERSION, score, threshold: null, votes: false, reason }];
  });
  hits.sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
  const combined: Check = {
    name: "rules",
    kind: "text",
    version: RULES_VERSION,
    // 0.4 and 0.5 would combine to slightly less than 0.7.
    score: roundScore(1 - hits.reduce((rest, hit) => rest * (1 - (hit.score ?? 0)), 1)),
    threshold,
    votes,
    reason: hits[0]?.reason ?? null,
  };
  const decisive = isDecisive(combined);
  return {
    checks: [combined, ...hits],
    reasons: hits.map((hit) => ({ text: hit.reason ?? "", strength: hit.score ?? 0, decisive })),
    failed: [],
  };
}
