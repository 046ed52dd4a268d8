import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import { stringField } from "#lib/base/http/fields.ts";

export const OptOut = z
  .object({
    account: common.account,
    reason: stringField("Reason reported by the consumer.", "Status not found on fediverse"),
    post_id: z
      .int()
      .nullable()
      .meta({ description: "Id of the post for which it was reported.", example: 42 }),
    reported_at: common.reported_at,
    held: z.int().describe("Number of pending posts that it holds now."),
  })
  .meta({
    id: "OptOut",
    example: {
      account: "@alice@mastodon.social",
      reason: "Author opts out of bot interaction (nobot)",
      post_id: 42,
      reported_at: "2026-05-04T18:02:11.000Z",
      held: 3,
    },
  });
export type OptOut = z.infer<typeof OptOut>;

export const OptOutList = z
  .object({ items: z.array(OptOut).describe("The 100 oldest."), total: common.total })
  .meta({ id: "OptOutList" });
export type OptOutList = z.infer<typeof OptOutList>;

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
  .meta({ id: "OptOutReach", example: { deleted: 0, released: 3, held: 1 } });
export type OptOutReach = z.infer<typeof OptOutReach>;

export const OptOutDecision = z
  .object({ resolution })
  .meta({ id: "OptOutDecision", example: { resolution: "dismissed" } });
export type OptOutDecision = z.infer<typeof OptOutDecision>;
