import { z } from "zod";
import { PostDetail } from "#lib/posts/schema.ts";
import { cardMarks, Edit } from "./schema.ts";

/** A post with its whole life, for its page. */
export const PostFile = PostDetail.extend({
  ...cardMarks,
  edits: z.array(Edit).meta({ description: "Edits at the source, oldest first." }),
});
export type PostFile = z.infer<typeof PostFile>;

/** One of a reviewer's own decisions that an undo can take back, as long as the post has not been handed out. */
export interface RecentDecision {
  post_id: number;
  decision: "approve" | "reject" | "skip";
  reason: string | null;
  /** ISO. */
  at: string;
  author_account: string;
  snippet: string;
}
