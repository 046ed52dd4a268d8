import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import { checkNames } from "#lib/checks/results/check-names.ts";
import { rules } from "#lib/checks/rules/rules.ts";
import { isoTime, nullableString, stringField } from "#lib/base/http/fields.ts";

const threshold = z.number().gt(0).max(1);

export const CheckState = z
  .object({
    name: z.enum(checkNames).describe("Name of a check."),
    enabled: z.boolean().describe("False: the check gives no score."),
    votes: z
      .boolean()
      .describe("At or above its threshold the check advises rejection. The learner also needs a threshold."),
    threshold: z.number().nullable().describe("In force. Null: the learner has none yet."),
    default_threshold: z.number().nullable().describe("Of the learner: of its newest model."),
    missing: nullableString(
      "Why the check cannot run on this installation; null when it can.",
      "AI_BASE_URL and AI_MODEL are not set",
    ),
    warned: z
      .int()
      .describe(
        "Stored posts among the newest 20 000 decisions that were at or above the threshold: `GET /posts?warned_by=`.",
      ),
    rejected: z.int().describe("Those of them that were rejected."),
    needs: z
      .object({
        approvals: z.int().describe("Approvals that are missing."),
        rejections: z.int().describe("Rejections that are missing."),
      })
      .nullable()
      .describe("Decisions that the learner needs before it votes; null when it has enough."),
  })
  .meta({ id: "CheckState" });
export type CheckState = z.infer<typeof CheckState>;

export const TextRule = z
  .object({
    name: stringField("Name.", "many_hashtags"),
    describes: stringField("Condition of the rule in words.", "The post carries 20 hashtags or more."),
    weight: z.number().describe("Weight of the rule, 0 to 1; hits combine to 1 − Π(1 − weight)."),
    enabled: common.enabled,
  })
  .meta({ id: "TextRule" });
export type TextRule = z.infer<typeof TextRule>;

export const ChatModelState = z
  .object({
    host: stringField("Receives text and pictures of new posts.", "localhost:11434"),
    model: stringField("Name of the model.", "llama3.2-vision"),
    calls_today: z.int().describe("Since midnight UTC."),
    daily_limit: z.int().describe("Calls in a day (UTC)."),
    waiting: z.int().describe("Posts that are still to be asked about."),
    paused_until: isoTime.nullable().describe("After five failures in a row, or on its request."),
    last_error: common.last_error,
    failed_at: isoTime.nullable().describe("Time of `last_error`."),
  })
  .meta({ id: "ChatModelState" });
export type ChatModelState = z.infer<typeof ChatModelState>;

export const ChecksSettings = z
  .object({
    checks: z.array(CheckState).describe("One entry for each check."),
    rules: z.array(TextRule).describe("Text rules."),
    decisions: z.int().describe("Decided posts that `warned` counts are taken from."),
    chat_model: ChatModelState.nullable().describe("Null without one."),
    judging: z.boolean().describe("Stored posts are being judged again, after a change of a setting."),
  })
  .meta({ id: "ChecksSettings" });
export type ChecksSettings = z.infer<typeof ChecksSettings>;

const CheckChange = z.object({
  name: z.enum(checkNames).describe("Name of a check."),
  enabled: common.enabled.optional(),
  votes: z.boolean().optional().describe("Whether the check votes."),
  threshold: threshold.nullable().optional().describe("Null: the default."),
});
export type CheckChange = z.output<typeof CheckChange>;

const RuleChange = z.object({
  name: z.enum(rules.map(({ name }) => name)).describe("Name of a text rule."),
  enabled: common.enabled,
});

/** Checks and rules that are not named stay unchanged. */
export const ChecksSettingsUpdate = z
  .object({
    checks: z.array(CheckChange).max(20).optional().describe("Changed checks."),
    rules: z.array(RuleChange).max(20).optional().describe("Changed text rules."),
  })
  .refine(({ checks = [], rules = [] }) => checks.length + rules.length > 0, {
    message: "must name a check or a rule",
    path: ["checks"],
  })
  .meta({
    id: "ChecksSettingsUpdate",
    example: {
      checks: [{ name: "rules", threshold: 0.8 }],
      rules: [{ name: "many_hashtags", enabled: false }],
    },
  });
export type ChecksSettingsUpdate = z.output<typeof ChecksSettingsUpdate>;
