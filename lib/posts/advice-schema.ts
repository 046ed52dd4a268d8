import { common } from "#lib/http/common-fields.ts";
import { z } from "zod";

/** Results of the checks that `ai_would_reject` cannot express. */
export const AiResult = z
  .enum(["unsure", "not_checked"])
  .describe(
    "`unsure`: no check would reject, but the score is from 0.35 to 0.65 or a picture is uncertain. `not_checked`: without a result.",
  );
export type AiResult = z.infer<typeof AiResult>;

export const Advice = z
  .object({
    would_reject: z.boolean().nullable().describe("Null when not checked."),
    score: z.number().nullable().describe("Score from 0 to 1; null without one."),
    reasons: z.array(z.string()).describe("Reasons in sentences, the strongest first."),
    vision_category: common.vision_category,
  })
  .meta({
    id: "Advice",
    description: "The advice of the checks. Sent with a decision that was made without seeing it.",
  });
export type Advice = z.infer<typeof Advice>;
