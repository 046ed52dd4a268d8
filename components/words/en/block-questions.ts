import { formatCount, plural } from "#components/words/format.ts";

/** Questions before a block or unblock. */
export const blockQuestions = {
  blockTitle: (name: string) => `Block ${name}?`,
  block: "Block",
  scope: "Block",
  scopeAccount: "This account",
  scopeDomain: (host: string) => `Everyone on ${host}`,
  scopeWaiting: (count: number) => `${plural(count, "waiting post", "waiting posts")}`,
  held: (held: number, pending: number) =>
    `Holds ${formatCount(held)} of ${plural(pending, "approved post", "approved posts")}.`,
  heldNone: "Holds no approved post.",
  waiting: (count: number) => `${plural(count, "post waits", "posts wait")} for review`,
  rejectAll: (count: number) => (count === 1 ? "Reject it" : `Reject all ${formatCount(count)}`),
  rejectThis: "Reject only this post",
  rejectsCard: "Rejects this post.",
  leave: "Leave for review",
  secondStep: "Block the hashtag of my own stream",
  grown: "More posts match now. These are the new figures.",
  unblockTitle: (name: string) => `Unblock ${name}?`,
  unblock: "Unblock",
  released: (count: number) => `Returns ${plural(count, "approved post", "approved posts")} to the queue.`,
  stillHeld: (count: number) => `Another block still holds ${plural(count, "post", "posts")}.`,
  unblocked: (name: string, released: number) =>
    released > 0
      ? `${name} is no longer blocked, ${formatCount(released)} released`
      : `${name} is no longer blocked`,
  rejectTitle: "Reject blocked posts?",
  rejectNone: "No waiting post is blocked",
  rejectUser: (count: number) => `${plural(count, "waiting post", "waiting posts")} of blocked users.`,
  rejectHashtag: (count: number) =>
    `${plural(count, "waiting post", "waiting posts")} with blocked hashtags.`,
  reject: (count: number) => `Reject ${plural(count, "post", "posts")}`,
  rejected: (count: number) => `${plural(count, "post", "posts")} rejected`,
} as const;
