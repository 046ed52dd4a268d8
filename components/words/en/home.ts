export const home = {
  title: "Home",
  description: "What waits for you and how the water runs.",
  unreviewed: "To review",
  pending: "In the queue",
  deliveredToday: "Delivered in 24 h",
  errors: "Errors",
  startReview: "Start reviewing",
  nothingToReview: "Nothing waits for review",
  nothingToReviewHint: "New posts appear here when the streams are fetched next.",
  addFirstStream: "Add the first stream",
  addFirstStreamHint: "A stream is a hashtag on one server. Posts that carry it come here for review.",
} as const;
