import { z } from "zod";
import { previewToken } from "#lib/actions/schema.ts";
import { isoTime } from "#lib/http/fields.ts";

export const OptOut = z
  .object({
    account: z.string(),
    reason: z.string().meta({ description: "Reason reported by the consumer." }),
    post_id: z.int().nullable().meta({ description: "Id of the post for which it was reported." }),
    reported_at: isoTime,
    held: z.int().meta({ description: "Number of pending posts that it holds now." }),
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
  .object({ items: z.array(OptOut).meta({ description: "The 100 oldest." }), total: z.int() })
  .meta({ id: "OptOutList" });
export type OptOutList = z.infer<typeof OptOutList>;

const resolution = z.enum(["confirmed", "dismissed"]).meta({
  description:
    "`confirmed` deletes the author's stored posts for good and blocks the author; `dismissed` removes the hold from " +
    "the author's posts.",
});

/** For `POST /actions/preview`: the account is in the path of the decision. */
export const OptOutReach = z.object({ account: z.string().min(1).max(400), resolution });
export type OptOutReach = z.infer<typeof OptOutReach>;

export const OptOutDecision = z
  .object({ resolution, preview: previewToken })
  .meta({ id: "OptOutDecision", example: { resolution: "dismissed" } });
export type OptOutDecision = z.infer<typeof OptOutDecision>;
