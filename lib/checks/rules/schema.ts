import { z } from "zod";
import { common } from "#lib/http/common-fields.ts";
import { stringField } from "#lib/http/fields.ts";

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
