import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import { nullableString, stringField } from "#lib/base/http/fields.ts";

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
export const ScoreCheck = z
  .object({
    name: common.check_name,
    kind: stringField(
      "`text` for the sum of all rules, `rule` for a single rule, `learner`, `picture` or `remote`.",
      "rule",
    ),
    version: common.version,
    score: z.number().nullable().describe("0–1; null when the check failed."),
    threshold: z
      .number()
      .nullable()
      .describe(
        "Score from which a voting check advises rejection; null for a check that only adds to another.",
      ),
    votes: z.boolean().describe("True when the check takes part in the verdict."),
    reason: nullableString(
      "Reason, in a fixed form so that equal ones can be grouped.",
      "Status not found on fediverse",
    ),
  })
  .meta({ id: "ScoreCheck" });
export type Check = z.infer<typeof ScoreCheck>;

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
