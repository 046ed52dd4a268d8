import { words } from "#components/words/en.ts";
import type { KeyAction } from "#lib/desk/keys.ts";

/** What each key does, in words. */
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
  trust_author: words.reviewTools.trustAuthor,
  help: words.review.keys,
};

/** For those who may manage lists; the server decides by itself. */
export const managersOnly: ReadonlySet<KeyAction> = new Set([
  "block_author",
  "block_hashtag",
  "trust_author",
]);
