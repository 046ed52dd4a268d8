/** What can be taken along, in the settings. */
export const data = {
  title: "Data",
  everything: "Everything that was entered",
  everythingHint:
    "One JSON file. No passwords, keys or tokens are in it; names and e-mail addresses of members are.",
  download: "Download",
  parts: [
    "Streams with their settings",
    "Switches, blocked users and hashtags, topical rules",
    "Text rules and words against a post",
    "Saved filters, authors' standings",
    "Members with their roles, names and rights of API keys",
  ],
  bringBack: "Both block lists are read back from this file by the import under",
  tablesTitle: "Tables",
  tablesHint: "Cells that a spreadsheet would run as a formula are escaped.",
  tables: {
    blockedUsers: "Blocked users",
    blockedHashtags: "Blocked hashtags",
    reviewLog: "Review log: every decision",
    auditLog: "Audit log: every change of settings",
  },
} as const;
