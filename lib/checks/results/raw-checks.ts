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
    name: stringField("Name.", "rules"),
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

/** Rounds to the single precision of stored scores. */
export function roundScore(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}

/** A rule that applied, with its evidence. */
export const RawRule = z.object({ name: z.string(), reason: z.string() });
export type RawRule = z.infer<typeof RawRule>;

/** A feature of the post and its weight in the prediction. A weight above 0 speaks for rejection. */
export const LearnerReason = z.object({
  feature: z.string(),
  weight: z.number(),
  /** Number of reviewed posts with the feature. */
  reviewed: z.int(),
  rejected: z.int(),
});
export type LearnerReason = z.infer<typeof LearnerReason>;

/** Probabilities; their sum is 1. */
export const PictureScores = z.object({
  drawing: z.number().describe("Probability of a harmless drawing."),
  hentai: z.number().describe("Probability of an explicit drawing."),
  neutral: z.number().describe("Probability of a harmless photograph."),
  porn: z.number().describe("Probability of an explicit photograph."),
  sexy: z.number().describe("Probability of a suggestive picture."),
});
export type PictureScores = z.infer<typeof PictureScores>;

export const RawPicture = z.object({
  /** Position in the post, from 0. */
  medium: z.int().describe("Number of the medium, from 0."),
  source: z.string(),
  state: z.enum(["done", "failed"]).describe("State."),
  error: nullableString(
    "The error in one sentence; null without one.",
    "mastodon.example did not answer in time",
  ),
  scores: PictureScores.nullable().describe("Probabilities; null when it failed."),
  engine: stringField("Model and version.", "mobilenet_v2_mid@4.3.0"),
});
export type RawPicture = z.infer<typeof RawPicture>;

/** The answer of the chat model. */
export const RawRemote = z.object({
  labels: z.record(z.string(), z.number()),
  reason: z.string().nullable(),
  model: z.string(),
  at: z.string(),
  error: z.string().nullable(),
});
export type RawRemote = z.infer<typeof RawRemote>;

/** Results of `post_check` that a verdict is computed from. */
export const RawChecks = z.object({
  rules: z.array(RawRule),
  /** 0–1; null before the learner has a score. */
  learner_score: z.number().nullable(),
  learner_reasons: z.array(LearnerReason),
  picture_state: z.enum(["none", "waiting", "done", "unavailable"]),
  pictures: z.array(RawPicture),
  /** Answer about the present text and pictures; null without one. */
  remote: RawRemote.nullable(),
});
export type RawChecks = z.infer<typeof RawChecks>;
