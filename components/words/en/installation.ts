/** Posts and history lines. */
function amount(posts: number, lines: number): string {
  const parts = [
    ...(posts > 0 || lines === 0 ? [posts === 1 ? "1 post" : `${posts} posts`] : []),
    ...(lines > 0 ? [lines === 1 ? "1 history line" : `${lines} history lines`] : []),
  ];
  return parts.join(" and ");
}

/** Backups and retention, in the settings. */
export const installation = {
  title: "Installation",
  retention: {
    title: "How long posts and history are kept",
    hint: (days: number) =>
      `In days, applied once a day. Deleted posts are not fetched again, and all-time figures keep them. Delivered posts are kept for ${days} days (RETENTION_DAYS).`,
    kinds: {
      rejected: "Rejected posts",
      unreviewed: "Posts without a decision",
      failed: "Failed posts",
      history: "History of deleted posts",
    },
    ever: "For ever",
    keptForEver: "Kept for ever. Deletes nothing.",
    counting: "Counting…",
    wouldDelete: (posts: number, lines: number) => `Would delete ${amount(posts, lines)} now.`,
    starts: (day: string) =>
      `The upgrade changed how long posts are kept. Nothing is deleted by these days before ${day}.`,
    wrong: (min: number, max: number) => `A whole number from ${min} to ${max}, or empty`,
    askTitle: (posts: number, lines: number) => `Delete ${amount(posts, lines)}`,
    askHint: "The next daily cleanup deletes them, posts with their pictures.",
    askParts: (kind: string, count: number) => `${kind}: ${count}`,
    askConfirm: (posts: number, lines: number) => `Save and delete ${amount(posts, lines)}`,
    saved: "Saved. The next daily cleanup applies it.",
  },
  backups: {
    title: "Nightly backups",
    hint: (folder: string) => `In ${folder}. Settings of the server change the folder and the number kept.`,
    success: "Last backup",
    failure: "Last failure",
    future: "Dated in the future",
    futureHint:
      "made while the clock was wrong. Not counted as the last backup and not deleted: rename, move or delete them yourself.",
    never: "None",
    size: (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`,
  },
} as const;
