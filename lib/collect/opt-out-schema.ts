import { z } from "zod";

export interface OptOut {
  account: string;
  /** Reason that the bot reported. */
  reason: string;
  /** Post of the report. */
  post_id: number | null;
  reported_at: string;
  /** Number of pending posts that the report holds. */
  held: number;
}

/** Open reports. `items`: the 100 oldest. */
export interface OptOutList {
  items: OptOut[];
  total: number;
}

const resolution = z
  .enum(["confirmed", "dismissed"])
  .describe(
    "`confirmed` deletes the author's stored posts for good and blocks the author; `dismissed` removes the hold from " +
      "the author's posts.",
  );

export const OptOutReach = z
  .object({
    deleted: z.int().describe("Posts that would be deleted."),
    released: z.int().describe("Posts that would be released."),
    held: z.int().describe("Posts that something else would still hold."),
  })
  .meta({ id: "OptOutReach" });
export type OptOutReach = z.infer<typeof OptOutReach>;

export const OptOutDecision = z
  .object({ resolution })
  .meta({ id: "OptOutDecision", example: { resolution: "dismissed" } });
export type OptOutDecision = z.infer<typeof OptOutDecision>;
