import type { KeyAction } from "#lib/client/desk/keys.ts";

export const actionWords: Record<KeyAction, string> = {
  approve: "Approve",
  reject: "Reject",
  skip: "Skip",
  undo: "Undo",
  note: "Note",
  open: "Open original",
  enlarge: "Enlarge picture",
  reveal: "Show covered media",
  next_picture: "Next picture",
  previous_picture: "Previous picture",
  block_author: "Block author",
  block_hashtag: "Block hashtag",
  checks: "Show checks",
  order: "Next order: oldest, doubts first, by author",
  author_posts: "Waiting posts of the author",
  help: "Keys",
};

/** Shown to administrators only. The server enforces this. */
export const managersOnly: ReadonlySet<KeyAction> = new Set(["block_hashtag"]);
