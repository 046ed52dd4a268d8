/** Exports, backups and retention, in the settings. */
export const data = {
  title: "Data",
  retention: {
    title: "How long posts are kept",
    hint: (days: number) =>
      `In days, applied once a day. Deleted posts are not fetched again, and all-time figures keep them. Delivered posts are kept for ${days} days (RETENTION_DAYS).`,
    kinds: {
      rejected: "Rejected posts",
      unreviewed: "Posts without a decision",
      failed: "Failed posts",
    },
    ever: "For ever",
    keptForEver: "Kept for ever. Deletes no post.",
    counting: "Counting…",
    wouldDelete: (count: number) =>
      count === 1 ? "Would delete 1 post now." : `Would delete ${count} posts now.`,
    starts: (day: string) =>
      `The upgrade changed how long posts are kept. No post is deleted by these days before ${day}.`,
    wrong: (most: number) => `A whole number from 1 to ${most}, or empty`,
    askTitle: (count: number) => (count === 1 ? "Delete 1 post" : `Delete ${count} posts`),
    askHint: "The next daily cleanup deletes them with their pictures.",
    askParts: (kind: string, count: number) => `${kind}: ${count}`,
    askConfirm: (count: number) =>
      count === 1 ? "Save and delete 1 post" : `Save and delete ${count} posts`,
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
  everything: "All entered data",
  everythingHint:
    "One JSON file. It contains names and e-mail addresses of members, but no passwords, keys or tokens.",
  download: "Download",
  parts: [
    "Streams with their settings",
    "Switches, blocked users and hashtags, topical rules",
    "Settings of the checks, text rules and rejected words",
    "Saved filters, trusted and muted authors",
    "Members with their roles, API keys with their scopes",
  ],
  bringBack: "To restore both block lists from this file, import it under",
  tablesTitle: "Tables",
  tablesHint: "CSV. Cells that a spreadsheet would run as a formula are escaped.",
  tables: {
    blockedUsers: "Blocked users",
    blockedHashtags: "Blocked hashtags",
    reviewLog: "Review log: all decisions",
    auditLog: "Audit log: all changes of settings",
  },
} as const;
