import { z } from "zod";
import { RawPicture } from "#lib/checks/results/raw-checks.ts";

/** Impossible ids are returned in `not_found`, like unknown ones. */
export const BatchScoreRequest = z
  .object({ post_ids: z.array(z.int()).min(1).max(500) })
  .meta({ id: "BatchScoreRequest", example: { post_ids: [1, 2, 3] } });

export const BatchScore = z
  .object({
    scored: z.int().meta({ description: "Number of posts that the text rules checked again." }),
    queued: z.int().meta({
      description:
        "Number of these posts whose pictures or remote checks are still to be checked in the background.",
    }),
    not_found: z.array(z.int()),
  })
  .meta({ id: "BatchScore" });
export type BatchScore = z.infer<typeof BatchScore>;

/** A line of `post.ai_checks`. */
export const StoredCheck = z.object({
  name: z.string().meta({ example: "rules" }),
  kind: z.string().meta({
    description:
      "`text` for the sum of all rules, `rule` for a single rule, `learner`, `picture`, `remote` or `question`.",
  }),
  version: z.string().default("1").meta({ description: "Version of the rules or of the model." }),
  score: z.number().nullable().meta({ description: "0–1; null when the check failed." }),
  threshold: z.number().nullable().meta({
    description:
      "Score from which a voting check advises rejection; null for a check that only adds to another.",
  }),
  votes: z.boolean().meta({ description: "True when the check takes part in the verdict." }),
  reason: z.string().nullable(),
});

export const ScoreCheck = StoredCheck.extend({
  version: z.string(),
  stopped_why: z.string().nullable().meta({
    description: "Why the check does not vote any more, when reviewers overruled it.",
  }),
  agreement: z.object({ n: z.int(), share: z.number() }).nullable().meta({
    description:
      "Of the last 200 decisions: `n` on which this check had a result, and the share of them that it agreed with. Null without any.",
  }),
}).meta({ id: "ScoreCheck" });
export type ScoreCheck = z.infer<typeof ScoreCheck>;

/** Raw scores of one picture. */
export const ScorePicture = RawPicture.omit({ source: true }).meta({ id: "ScorePicture" });
export type ScorePicture = z.infer<typeof ScorePicture>;

export const Score = z
  .object({
    post_id: z.int(),
    ai_would_reject: z
      .boolean()
      .nullable()
      .meta({ description: "Advice for reviewers, not a decision; null when not checked." }),
    ai_score: z.number().nullable().meta({ description: "0–1." }),
    vision_category: z.string().nullable(),
    checks: z.array(ScoreCheck),
    picture_state: z.enum(["none", "waiting", "done", "unavailable"]).nullable(),
    pictures: z.array(ScorePicture),
  })
  .meta({ id: "Score" });
export type Score = z.infer<typeof Score>;

export const CheckedAgain = Score.extend({
  queued: z.boolean().meta({ description: "Pictures are still to be checked in the background." }),
}).meta({ id: "CheckedAgain" });
export type CheckedAgain = z.infer<typeof CheckedAgain>;
