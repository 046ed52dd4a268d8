import { z } from "zod";

export const ClassifyRule = z
  .object({
    name: z.string().meta({ example: "many_hashtags" }),
    describes: z.string(),
    weight: z.number().min(0).max(1),
    enabled: z.boolean(),
    default_weight: z.number(),
  })
  .meta({ id: "ClassifyRule" });
export type ClassifyRule = z.infer<typeof ClassifyRule>;

export const ClassifyRules = z
  .object({ vote_at: z.number(), rules: z.array(ClassifyRule) })
  .meta({ id: "ClassifyRules" });
export type ClassifyRules = z.infer<typeof ClassifyRules>;

/** Rules that are not named stay unchanged. */
export const ClassifyRulesUpdate = z
  .object({
    rules: z
      .array(
        z.object({
          name: z.string(),
          weight: z.number().min(0).max(1).optional(),
          enabled: z.boolean().optional(),
        }),
      )
      .min(1)
      .max(100),
  })
  .meta({
    id: "ClassifyRulesUpdate",
    example: { rules: [{ name: "many_hashtags", weight: 0.4, enabled: true }] },
  });
export type ClassifyRulesUpdate = z.output<typeof ClassifyRulesUpdate>;
