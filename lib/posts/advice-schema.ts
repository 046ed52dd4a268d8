import { z } from "zod";

/** Results of the checks that `ai_would_reject` cannot express. */
export const AiResult = z.enum(["unsure", "not_checked", "overruled"]).meta({
  description:
    "`unsure`: no check would reject, but the score is from 0.35 to 0.65 or a picture is uncertain. `not_checked`: without a result. `overruled`: decided against the advice at that time, among the newest 20 000 decisions.",
});
export type AiResult = z.infer<typeof AiResult>;

/** The filter `ai_result=unsure` compares the same (select-posts.ts). */
export function isUnsure(post: {
  ai_would_reject: boolean | null;
  ai_score: number | null;
  vision_category: string | null;
}): boolean {
  if (post.ai_would_reject !== false) return false;
  const score = post.ai_score ?? 0;
  return post.vision_category === "uncertain" || (score >= 0.35 && score <= 0.65);
}

export const visionCategories = [
  "explicit",
  "explicit_drawing",
  "graphic",
  "hateful",
  "other_unsafe",
  "suggestive",
  "uncertain",
  "drawing",
  "neutral",
  "unavailable",
  "none",
] as const;

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
