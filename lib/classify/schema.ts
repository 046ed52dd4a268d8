import { z } from "zod";
import { common } from "#lib/http/common-fields.ts";
import { bodyId, nullableString, stringField, text } from "#lib/http/fields.ts";
import { RawPicture } from "./raw-checks.ts";

/** Impossible ids are returned in `not_found`, like unknown ones. */
export const BatchScoreRequest = z
  .object({ post_ids: z.array(z.int()).min(1).max(500).describe("Ids of posts.") })
  .meta({ id: "BatchScoreRequest", example: { post_ids: [1, 2, 3] } });

export const BatchScore = z
  .object({
    scored: z.int().describe("Number of posts that the text rules checked again."),
    queued: z
      .int()
      .describe(
        "Number of these posts whose pictures or remote checks are still to be checked in the background.",
      ),
    not_found: z.array(z.int()).describe("Ids of posts that do not exist."),
  })
  .meta({ id: "BatchScore" });
export type BatchScore = z.infer<typeof BatchScore>;

/** A line of `post.ai_checks`. */
export const StoredCheck = z.object({
  name: common.check_name,
  kind: stringField(
    "`text` for the sum of all rules, `rule` for a single rule, `learner`, `picture`, `remote` or `question`.",
    "rule",
  ),
  version: z.string().default("1").describe("Version of the rules or of the model."),
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
});

export const ScoreCheck = StoredCheck.extend({
  version: common.version,
  stopped_why: nullableString(
    "Why the check does not vote any more, when reviewers overruled it.",
    "12 of 40 hits were rejected",
  ),
  agreement: z
    .object({ n: z.int().describe("Number of cases."), share: common.share })
    .nullable()
    .describe(
      "Of the last 200 decisions: `n` on which this check had a result, and the share of them that it agreed with. Null without any.",
    ),
}).meta({ id: "ScoreCheck" });
export type ScoreCheck = z.infer<typeof ScoreCheck>;

/** Raw scores of one picture. */
export const ScorePicture = RawPicture.omit({ source: true }).meta({ id: "ScorePicture" });
export type ScorePicture = z.infer<typeof ScorePicture>;

export const Score = z
  .object({
    post_id: common.post_id,
    ai_would_reject: z
      .boolean()
      .nullable()
      .describe("Advice for reviewers, not a decision; null when not checked."),
    ai_score: z.number().nullable().describe("0–1."),
    vision_category: common.vision_category,
    advice_hidden: z
      .boolean()
      .describe(
        "True for members while the advice is hidden until the decision. The other fields are empty then.",
      ),
    checks: z.array(ScoreCheck).describe("One entry for each check."),
    picture_state: z
      .enum(["none", "waiting", "done", "unavailable"])
      .nullable()
      .describe("Whether the pictures were checked."),
    pictures: z.array(ScorePicture).describe("Results for each picture."),
  })
  .meta({ id: "Score" });
export type Score = z.infer<typeof Score>;

export const CheckedAgain = Score.extend({
  queued: z.boolean().describe("Pictures are still to be checked in the background."),
}).meta({ id: "CheckedAgain" });
export type CheckedAgain = z.infer<typeof CheckedAgain>;

export const ClassifyRule = z
  .object({
    name: stringField("Name.", "many_hashtags"),
    describes: stringField("Condition of the rule in words.", "Many links in one post"),
    weight: z.number().min(0).max(1).describe("Weight of the rule, 0 to 1."),
    enabled: common.enabled,
    default_weight: z.number().describe("Default of `weight`."),
  })
  .meta({ id: "ClassifyRule" });
export type ClassifyRule = z.infer<typeof ClassifyRule>;

export const ClassifyRules = z
  .object({
    vote_at: z.number().describe("Sum of weights from which the rules advise a rejection."),
    rules: z.array(ClassifyRule).describe("Text rules."),
  })
  .meta({ id: "ClassifyRules" });
export type ClassifyRules = z.infer<typeof ClassifyRules>;

/** Rules that are not named stay unchanged. */
export const ClassifyRulesUpdate = z
  .object({
    rules: z
      .array(
        z.object({
          name: stringField("Name.", "many_hashtags"),
          weight: z.number().min(0).max(1).optional().describe("Weight of the rule, 0 to 1."),
          enabled: common.enabled.optional(),
        }),
      )
      .min(1)
      .max(100)
      .describe("Text rules."),
  })
  .meta({
    id: "ClassifyRulesUpdate",
    example: { rules: [{ name: "many_hashtags", weight: 0.4, enabled: true }] },
  });
export type ClassifyRulesUpdate = z.output<typeof ClassifyRulesUpdate>;

export const ClassifyWord = z
  .object({
    id: common.id,
    word: stringField("Word or phrase.", "giveaway"),
    stream_id: z.int().nullable().meta({ description: "Null when it applies to every stream.", example: 2 }),
    created_at: common.created_at,
  })
  .meta({ id: "ClassifyWord" });
export type ClassifyWord = z.infer<typeof ClassifyWord>;

export const ClassifyWordCreate = z
  .object({
    word: text(100, 1).meta({ description: "Word or phrase.", example: "giveaway" }),
    stream_id: bodyId.nullable().optional().describe("Id of the stream; null for none."),
  })
  .meta({ id: "ClassifyWordCreate", example: { word: "free crypto", stream_id: null } });
export type ClassifyWordCreate = z.output<typeof ClassifyWordCreate>;
