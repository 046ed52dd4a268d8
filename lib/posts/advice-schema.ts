import { z } from "zod";

/** Results of the checks that `ai_would_reject` cannot express. */
export const AiResult = z.enum(["unsure", "not_checked", "overruled"]).meta({
  description:
    "`unsure`: no check would reject, but the score is from 0.35 to 0.65 or a picture is uncertain. `not_checked`: without a result. `overruled`: decided against the advice at that time, among the newest 20 000 decisions.",
});
export type AiResult = z.infer<typeof AiResult>;

export const Advice = z
  .object({
    would_reject: z.boolean().nullable().meta({ description: "Null when not checked." }),
    score: z.number().nullable(),
    reasons: z.array(z.string()),
    vision_category: z.string().nullable(),
  })
  .meta({
    id: "Advice",
    description: "The advice of the checks. Sent with a decision that was made without seeing it.",
  });
export type Advice = z.infer<typeof Advice>;
