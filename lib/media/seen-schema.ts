import { z } from "zod";
import { isoTime } from "#lib/http/fields.ts";

export const SeenBefore = z
  .object({
    items: z
      .array(
        z.object({
          medium: z.int().meta({ description: "Place of this post's picture, from 0." }),
          post_id: z.int().meta({ description: "The post that had it before." }),
          post_medium: z.int().meta({ description: "Place of the picture there." }),
          author_account: z.string().meta({ example: "@alice@mastodon.social" }),
          approved: z.boolean().nullable(),
          queue_status: z.enum(["pending", "reserved", "delivered", "error"]).nullable(),
          reviewed_at: isoTime.nullable(),
          created_at: isoTime,
          distance: z.int().meta({ description: "Bits in which both hashes differ, of 128; 0 to 24." }),
        }),
      )
      .meta({ description: "At most one for each picture: the most alike." }),
  })
  .meta({ id: "SeenBefore" });
export type SeenBefore = z.infer<typeof SeenBefore>;
