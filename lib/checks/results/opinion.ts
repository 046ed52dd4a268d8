/** Categories of pictures that may be upsetting, worst first. */
export const upsettingCategories = [
  "explicit",
  "explicit_drawing",
  "graphic",
  "hateful",
  "other_unsafe",
  "suggestive",
  "uncertain",
] as const;

/** One line of `ai_checks`. */
export interface Check {
  name: string;
  kind: "text" | "rule" | "learner" | "picture" | "remote";
  version: string;
  /** 0–1; null when the check failed. */
  score: number | null;
  /** Advises rejection from this score on; null for a check that is part of another, or has no threshold yet. */
  threshold: number | null;
  votes: boolean;
  reason: string | null;
}

export interface Reason {
  text: string;
  /** 0–1. */
  strength: number;
  /** Its check advises rejection. */
  decisive: boolean;
}

/** The contribution of one kind of check to a verdict. */
export interface Opinion {
  checks: Check[];
  reasons: Reason[];
  /** Names for "Could not be checked". */
  failed: string[];
}

export interface Verdict {
  would_reject: boolean;
  score: number;
  /** At most three, the strongest first. */
  reasons: string[];
  checks: Check[];
  vision_category: string | null;
  vision_confidence: number | null;
  /** Reasons given by the rules. */
  text_reason: string | null;
}

export function isOver({ score, threshold }: Pick<Check, "score" | "threshold">): boolean {
  return score !== null && threshold !== null && score >= threshold;
}

export function isDecisive(check: Check): boolean {
  return check.votes && isOver(check);
}

/** Stored scores have single precision. */
export function roundScore(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
