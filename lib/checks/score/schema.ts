import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import { nullableString, stringField } from "#lib/base/http/fields.ts";
import { RawPicture } from "#lib/checks/results/raw-checks.ts";

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
        "Number of these posts whose pictures or chat model are still to be checked in the background.",
      ),
    not_found: z.array(z.int()).describe("Ids of posts that do not exist."),
  })
  .meta({ id: "BatchScore" });
export type BatchScore = z.infer<typeof BatchScore>;

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
export type ScoreCheck = z.infer<typeof ScoreCheck>;

/** Raw scores of one picture. */
export const ScorePicture = RawPicture.omit({ source: true }).meta({ id: "ScorePicture" });
export type ScorePicture = z.infer<typeof ScorePicture>;

/** Fields of `GET /posts/{id}`. */
export const Checks = z.object({
  checks: z.array(ScoreCheck).describe("One entry for each check."),
  picture_scores: z.array(ScorePicture).describe("Raw results of each picture."),
});
export type Checks = z.infer<typeof Checks>;
