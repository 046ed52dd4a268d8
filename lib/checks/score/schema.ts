import { z } from "zod";
import { RawPicture, ScoreCheck } from "#lib/checks/results/raw-checks.ts";

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

/** Raw scores of one picture. */
export const ScorePicture = RawPicture.omit({ source: true }).meta({ id: "ScorePicture" });
export type ScorePicture = z.infer<typeof ScorePicture>;

/** Fields of `GET /posts/{id}`. */
export const Checks = z.object({
  checks: z.array(ScoreCheck).describe("One entry for each check."),
  picture_scores: z.array(ScorePicture).describe("Raw results of each picture."),
});
export type Checks = z.infer<typeof Checks>;
