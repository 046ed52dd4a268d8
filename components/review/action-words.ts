import { words } from "#components/words/en.ts";
import type { KeyAction } from "#lib/client/desk-keys.ts";

/** What each key does, in words. */
export const actionWords: Record<KeyAction, string> = {
  approve: words.review.approve,
  reject: words.review.reject,
  skip: words.review.skip,
  undo: words.review.undo,
  note: words.review.note,
  open: words.review.open,
  enlarge: words.review.enlarge,
  reveal: words.review.reveal,
  next_picture: words.review.nextPicture,
  previous_picture: words.review.previousPicture,
  block_author: words.review.blockAuthor,
  block_hashtag: words.review.blockHashtag,
  trust_author: words.review.trustAuthor,
  help: words.review.keys,
};

/** For those who may manage lists; the server decides by itself. */
export const managersOnly: ReadonlySet<KeyAction> = new Set([
  "block_author",
  "block_hashtag",
  "trust_author",
]);
