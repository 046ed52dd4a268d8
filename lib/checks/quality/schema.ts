import { z } from "zod";
import { isoTime } from "#lib/http/fields.ts";

const count = z.int();
const figure = z.number().nullable();

export const Share = z
  .object({
    share: z.number(),
    hits: count,
    n: count,
    low: z.number(),
    high: z.number(),
  })
  .meta({ id: "Share", description: "`hits` of `n`, with the 95 % Wilson interval." });
export type Share = z.infer<typeof Share>;

export const CheckFigures = z
  .object({
    n: count.meta({ description: "Decisions about posts that had a score of this check." }),
    rejected: count,
    base_rate: figure.meta({ description: "Share of rejections." }),
    auc: figure.meta({ description: "Area under the ROC curve; null without both kinds of decisions." }),
    brier: figure.meta({ description: "Mean squared error of the score, read as a probability." }),
    brier_skill: figure.meta({
      description: "Share of the Brier score saved, compared with always saying the base rate.",
    }),
    ece: figure.meta({ description: "Expected calibration error over ten bins." }),
    bins: z
      .array(
        z.object({
          from: z.number(),
          to: z.number(),
          n: count,
          mean_score: figure,
          share_rejected: figure,
        }),
      )
      .meta({ description: "Ten bins of equal width, for a reliability plot." }),
    precision: Share.nullable().meta({
      description: "Rejected of all posts at or above `threshold`; null without such a post.",
    }),
    recall: Share.nullable().meta({
      description: "At or above `threshold` of all rejected posts; null without a rejection.",
    }),
  })
  .meta({ id: "CheckFigures" });
export type CheckFigures = z.infer<typeof CheckFigures>;

const Agreement = z
  .object({
    shown: Share.nullable().meta({ description: "Decisions of members who saw the advice." }),
    blind: Share.nullable().meta({
      description: "Decisions of members about the tenth of the posts whose advice was hidden.",
    }),
    api_keys: Share.nullable().meta({ description: "Decisions through API keys, which see the advice." }),
  })
  .meta({
    id: "Agreement",
    description: "Decisions equal to the advice as it stood then. Only `blind` is unbiased.",
  });
export type Agreement = z.infer<typeof Agreement>;

const needed = {
  counted: count.meta({
    description: "Decisions that count towards `needed`: at most 30 approvals and 30 rejections.",
  }),
  needed: count.meta({ description: "With fewer counted decisions the figures say little." }),
};

export const CheckQuality = z
  .object({
    name: z.string().meta({ example: "learner" }),
    version: z.string().nullable().meta({ description: "Of the newest decision." }),
    threshold: figure.meta({ description: "In force now; null when the check has none yet." }),
    enabled: z.boolean(),
    votes: z.boolean().meta({ description: "In force now. A stream decides whether its question votes." }),
    stopped_at: isoTime.nullable().meta({
      description: "Time at which the check stopped voting because reviewers overruled it.",
    }),
    stopped_why: z.string().nullable(),
    ...needed,
    last_500: CheckFigures,
    all_time: CheckFigures,
    learning_curve: z
      .array(
        z.object({
          from: count.meta({ description: "Number of earlier decisions." }),
          to: count,
          n: count,
          auc: figure,
          brier: figure,
          ece: figure,
        }),
      )
      .meta({ description: "Figures of consecutive parts of the log, oldest first." }),
    agreement: Agreement,
  })
  .meta({ id: "CheckQuality" });
export type CheckQuality = z.infer<typeof CheckQuality>;

export const ChecksQuality = z
  .object({
    decisions: count.meta({ description: "Decisions in the log; the newest 20 000 are kept." }),
    rejected: count,
    left_out: count.meta({ description: "Decisions of API keys that are not learnt from; in no figure." }),
    newest_at: isoTime.nullable(),
    ...needed,
    advice: Agreement.meta({ description: "Of all voting checks together." }),
    checks: z.array(CheckQuality),
  })
  .meta({ id: "ChecksQuality" });
export type ChecksQuality = z.infer<typeof ChecksQuality>;
