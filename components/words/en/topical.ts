export const topical = {
  title: "Topical",
  description: "Hashtags that go first on certain days.",
  add: "Add rule",
  empty: "No topical rules yet",
  emptyHint: "A rule names a hashtag and the weekday or date on which its posts are preferred.",
  weekday: "Weekday",
  dayOfYear: "Date",
} as const;
