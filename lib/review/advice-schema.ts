import { z } from "zod";

/** Results of the checks that `ai_would_reject` cannot express. */
export const AiResult = z
  .enum(["unsure", "not_checked"])
  .describe(
    "`unsure`: no check would reject, but the score is from 0.35 to 0.65 or a picture is uncertain. `not_checked`: without a result.",
  );
export type AiResult = z.infer<typeof AiResult>;
