import { z } from "zod";
import { common } from "#lib/http/common-fields.ts";
import { isoTime, nullableString, stringField } from "#lib/http/fields.ts";

const count = z.int();
const figure = z.number().nullable();

export const Share = z
  .object({
    share: common.share,
    hits: count.describe("Cases that count."),
    n: count.describe("Number of cases."),
    low: z.number().describe("Lower end of the 95 % interval."),
    high: z.number().describe("Upper end of the 95 % interval."),
  })
  .meta({ id: "Share", description: "`hits` of `n`, with the 95 % Wilson interval." });
export type Share = z.infer<typeof Share>;

export const CheckFigures = z
  .object({
    n: count.describe("Decisions about posts that had a score of this check."),
    rejected: count.describe("Rejected posts."),
    base_rate: figure.describe("Share of rejections."),
    auc: figure.describe("Area under the ROC curve; null without both kinds of decisions."),
    brier: figure.describe("Mean squared error of the score, read as a probability."),
    brier_skill: figure.describe(
      "Share of the Brier score saved, compared with always saying the base rate.",
    ),
    ece: figure.describe("Expected calibration error over ten bins."),
    bins: z
      .array(
        z.object({
          from: z.number().describe("Start of the range."),
          to: z.number().describe("End of the range."),
          n: count.describe("Number of cases."),
          mean_score: figure.describe("Mean score in this bin; null when it is empty."),
          share_rejected: figure.describe("Share of rejected posts; null when the bin is empty."),
        }),
      )
      .describe("Ten bins of equal width, for a reliability plot."),
    precision: Share.nullable().describe(
      "Rejected of all posts at or above `threshold`; null without such a post.",
    ),
    recall: Share.nullable().describe(
      "At or above `threshold` of all rejected posts; null without a rejection.",
    ),
  })
  .meta({ id: "CheckFigures" });
export type CheckFigures = z.infer<typeof CheckFigures>;

const Agreement = z
  .object({
    shown: Share.nullable().describe("Decisions of members who saw the advice."),
    blind: Share.nullable().describe(
      "Decisions of members about the tenth of the posts whose advice was hidden.",
    ),
    api_keys: Share.nullable().describe("Decisions through API keys, which see the advice."),
  })
  .meta({
    id: "Agreement",
    description: "Decisions equal to the advice as it stood then. Only `blind` is unbiased.",
  });
export type Agreement = z.infer<typeof Agreement>;

const needed = {
  counted: count.describe("Decisions that count towards `needed`: at most 30 approvals and 30 rejections."),
  needed: count.describe("With fewer counted decisions the figures say little."),
};

export const CheckQuality = z
  .object({
    name: stringField("Name.", "learner"),
    version: nullableString("Of the newest decision.", "1.0.0"),
    threshold: figure.describe("In force now; null when the check has none yet."),
    enabled: common.enabled,
    votes: z.boolean().describe("In force now. A stream decides whether its question votes."),
    stopped_at: isoTime
      .nullable()
      .describe("Time at which the check stopped voting because reviewers overruled it."),
    stopped_why: common.stopped_why,
    ...needed,
    last_500: CheckFigures.describe("Figures over the last 500 decisions."),
    all_time: CheckFigures.describe("Figures over all decisions."),
    learning_curve: z
      .array(
        z.object({
          from: count.describe("Number of earlier decisions."),
          to: count.describe("End of the range."),
          n: count.describe("Number of cases."),
          auc: figure.describe("Area under the ROC curve: 0.5 is chance, 1 is perfect; null when undefined."),
          brier: figure.describe(
            "Brier score: mean squared error of the probabilities; null when undefined.",
          ),
          ece: figure.describe("Expected calibration error; null when undefined."),
        }),
      )
      .describe("Figures of consecutive parts of the log, oldest first."),
    agreement: Agreement.describe("How often decisions were equal to the advice."),
  })
  .meta({ id: "CheckQuality" });
export type CheckQuality = z.infer<typeof CheckQuality>;

export const ChecksQuality = z
  .object({
    decisions: count.describe("Decisions in the log; the newest 20 000 are kept."),
    rejected: count.describe("Rejected posts."),
    left_out: count.describe("Decisions of API keys that are not learnt from; in no figure."),
    newest_at: isoTime.nullable().describe("Time of the newest decision; null for none."),
    ...needed,
    advice: Agreement.describe("Of all voting checks together."),
    checks: z.array(CheckQuality).describe("One entry for each check."),
  })
  .meta({ id: "ChecksQuality" });
export type ChecksQuality = z.infer<typeof ChecksQuality>;
