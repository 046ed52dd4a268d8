import type { z } from "zod";
import { ListedPost } from "#lib/queue/overview-schema.ts";
import { Post } from "./schema.ts";

/** A line of a queue, with the media of its thumbnail. */
export const UpcomingPost = ListedPost.extend(
  Post.pick({ media_attachments: true, media_covered: true }).shape,
);
export type UpcomingPost = z.infer<typeof UpcomingPost>;
