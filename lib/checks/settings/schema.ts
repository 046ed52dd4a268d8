import { z } from "zod";
import { common } from "#lib/http/common-fields.ts";
import { nullableString, stringField } from "#lib/http/fields.ts";

const threshold = z.number().gt(0).max(1);

export const CheckState = z
  .object({
    name: common.check_name,
    enabled: z.boolean().describe("False: the check gives no score."),
    votes: z
      .boolean()
      .describe(
        "At or above its threshold the check advises rejection. Each stream decides about its question; the learner also needs a threshold.",
      ),
    threshold: z.number().nullable().describe("In force. Null: the learner has none yet."),
    default_votes: z.boolean().describe("Default of `votes`."),
    default_threshold: z.number().nullable().describe("Of the learner: of its newest model."),
    shown: z.boolean().describe("Reviewers see the results. Those of a check that votes are always shown."),
    default_shown: z.boolean().describe("Default of `shown`."),
    missing: nullableString(
      "Why the check cannot run on this installation; null when it can.",
      "OPENAI_API_KEY is not set",
    ),
  })
  .meta({ id: "CheckState" });
export type CheckState = z.infer<typeof CheckState>;

export const ChecksSettings = z
  .object({
    checks: z.array(CheckState).describe("One entry for each check."),
    judging: z.boolean().describe("Stored posts are being judged again, after a change of a setting."),
  })
  .meta({ id: "ChecksSettings" });
export type ChecksSettings = z.infer<typeof ChecksSettings>;

const change = {
  enabled: common.enabled.optional(),
  votes: z.boolean().optional().describe("Not of `question`."),
  shown: z.boolean().optional().describe("Whether reviewers see the result."),
  threshold: threshold.nullable().optional().describe("Null: the default."),
};

/** Checks that are not named stay unchanged. */
export const ChecksSettingsUpdate = z
  .object({
    checks: z
      .array(z.object({ name: common.check_name, ...change }))
      .min(1)
      .max(20)
      .describe("One entry for each check."),
  })
  .meta({ id: "ChecksSettingsUpdate", example: { checks: [{ name: "rules", threshold: 0.8 }] } });
export type ChecksSettingsUpdate = z.output<typeof ChecksSettingsUpdate>;
export type CheckChange = ChecksSettingsUpdate["checks"][number];

export const DryRunRequest = z
  .object({
    ...change,
    weight: z.number().min(0).max(1).optional().describe("Of a text rule."),
    name: stringField("A check, or a text rule.", "rules"),
  })
  .refine(({ name: _name, ...fields }) => Object.values(fields).some((value) => value !== undefined), {
    message: `must name at least one of ${Object.keys(change).join(", ")}, weight`,
  })
  .meta({ id: "DryRunRequest", example: { name: "rules", threshold: 0.8 } });
export type DryRunRequest = z.output<typeof DryRunRequest>;

const Flagged = z
  .object({
    posts: z.int().describe("Posts that are stored now."),
    approved: z.int().describe("Approved posts."),
    rejected: common.rejected,
    unreviewed: z.int().describe("Posts without a decision."),
  })
  .meta({ id: "Flagged", description: "Posts that the checks advise to reject, by their decision." });

export const DryRun = z
  .object({
    posts: z.int().describe("Posts that were judged: those fetched in the last 30 days."),
    complete: z.boolean().describe("False: only the newest 20 000 of them were judged."),
    before: Flagged.describe("With the present settings."),
    after: Flagged.describe("With the change."),
    added: Flagged.describe("Only with the change."),
    removed: Flagged.describe("Only without the change."),
  })
  .meta({ id: "DryRun" });
export type DryRun = z.infer<typeof DryRun>;
