/** Exports, in the settings. */
export const data = {
  title: "Data",
  everything: "All entered data",
  everythingHint:
    "One JSON file. It contains names and e-mail addresses of members, but no passwords, keys or tokens.",
  download: "Download",
  parts: [
    "Streams with their settings",
    "Switches, blocked users and hashtags, topical rules",
    "Text rules and rejected words",
    "Saved filters and authors' standings",
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
