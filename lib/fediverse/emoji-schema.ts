import { z } from "zod";

/** A custom emoji of a post, named `:shortcode:` in its texts. */
export const Emoji = z
  .object({
    shortcode: z.string().meta({ example: "blobcat" }),
    url: z.string().meta({ description: "Where its source has it." }),
    n: z.int().meta({ description: "Its place in `/media/emoji/{id}/{n}`, for signed-in members." }),
  })
  .meta({ id: "Emoji" });
export type Emoji = z.infer<typeof Emoji>;
