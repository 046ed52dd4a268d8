import { z } from "zod";
import { isoTime } from "#lib/http/fields.ts";

export const SeenBefore = z
  .object({
    items: z
      .array(
        z.object({
          medium: z.int().meta({ description: "Index of the picture in this post, from 0." }),
          post_id: z.int().meta({ description: "Id of the earlier post with the same picture." }),
          post_medium: z.int().meta({ description: "Index of the picture in the earlier post." }),
          author_account: z.string().meta({ example: "@alice@mastodon.social" }),
          approved: z.boolean().nullable(),
          queue_status: z.enum(["pending", "reserved", "delivered", "error"]).nullable(),
          reviewed_at: isoTime.nullable(),
          created_at: isoTime,
          distance: z
            .int()
            .meta({ description: "Number of differing bits, of 128, in both hashes; 0 to 24." }),
        }),
      )
      .meta({ description: "At most one for each picture: the most similar." }),
  })
  .meta({ id: "SeenBefore" });
export type SeenBefore = z.infer<typeof SeenBefore>;
