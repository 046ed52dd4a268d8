export const filters = {
  title: "Filters",
  description: "What is rejected on fetch and what is held back from consumers.",
  blockedUsers: "Blocked users",
  blockedHashtags: "Blocked hashtags",
  requireMedia: "Require media",
  requireAltText: "Require alt text",
  rejectBlockedUsers: "Auto-reject posts of blocked users",
  rejectBlockedHashtags: "Auto-reject posts with blocked hashtags",
  rejectBots: "Auto-reject posts of bots",
  rejectBlockedNow: "Reject what is blocked now",
} as const;
