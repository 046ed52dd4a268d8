export const queue = {
  title: "Queue",
  description: "Approved posts on their way to consumers.",
  empty: "The queue is empty",
  emptyHint: "Approved posts appear here until a consumer takes them.",
  requeue: "Requeue",
  release: "Release",
  offerAgain: "Offer again",
  markDelivered: "Mark as delivered",
  dismiss: "Dismiss",
  cleanup: "Clean up delivered",
  trim: "Trim pending",
  deletePost: "Delete post",
} as const;
