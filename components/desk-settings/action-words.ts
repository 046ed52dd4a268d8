import { words } from "#components/words/en.ts";
import type { KeyAction } from "#lib/client/desk/keys.ts";

export const actionWords: Record<KeyAction, string> = {
  approve: words.review.approve,
  reject: words.review.reject,
  skip: words.review.skip,
  undo: words.review.undo,
  note: words.review.note,
  open: words.reviewTools.open,
  enlarge: words.reviewTools.enlarge,
  reveal: words.reviewTools.reveal,
  next_picture: words.reviewTools.nextPicture,
  previous_picture: words.reviewTools.previousPicture,
  block_author: words.reviewTools.blockAuthor,
  block_hashtag: words.post.blockHashtag,
  checks: words.reviewTools.showChecks,
  order: words.review.nextMode,
  author_posts: words.reviewTools.authorPosts,
  help: words.review.keys,
};

/** Shown to administrators only. The server enforces this. */
export const managersOnly: ReadonlySet<KeyAction> = new Set(["block_hashtag"]);
