import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";

/** Where a post comes from, and what it answers. */
export interface Reply {
  uri: string;
  url: string | null;
  /** True when the id below is one of the post's home; else it is one of the server that showed a copy. */
  from_home: boolean;
  in_reply_to: string | null;
}

/** @throws post_not_found */
export async function getReply(id: number): Promise<Reply> {
  const select = { uri: true, url: true, from_home: true, in_reply_to: true } as const;
  const post = await db.post.findUnique({ where: { id }, select });
  if (post === null) throw new ApiError("post_not_found");
  return post;
}
