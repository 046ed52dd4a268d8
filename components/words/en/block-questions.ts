/** Questions before a block or unblock. */
export const blockQuestions = {
  blockTitle: (name: string) => `Block ${name}?`,
  block: "Block",
  scope: "Block",
  scopeAccount: "This account",
  scopeDomain: (host: string) => `Everyone on ${host}`,
  held: (held: string) => `Approved posts that it holds: ${held}.`,
  heldNone: "Holds no approved post.",
  rejects: (count: string) => `Posts waiting for review that it rejects: ${count}.`,
  rejectReason: "Reason of the rejected posts",
  noReason: "None",
  ownStreams: (names: string) => `You collect this hashtag yourself: ${names}.`,
  secondStep: "Block the hashtag of my own stream",
} as const;
