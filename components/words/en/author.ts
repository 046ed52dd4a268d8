/** An author's page. */
export const author = {
  allPosts: "All posts",
  lastPost: "Last post",
  posts: "Posts",
  approved: "Approved",
  rejected: "Rejected",
  unreviewed: "Unreviewed",
  rate: "Approval rate",
  byFilters: (count: string) => `${count} by a filter`,
  standingHint:
    "Reviewers see that an author is trusted. Posts of muted authors come last. Posts of blocked authors are rejected when fetched.",
  noStanding: "Not trusted or muted",
  setBy: (name: string) => `by ${name}`,
  optOut: "A boost bot reported an opt-out:",
  decisions: "Recent decisions",
  decisionsHint: "Newest first.",
  decisionsEmpty: "No decisions yet",
  newest: "Newest posts",
  showAll: (count: string) => `Show all ${count}`,
  postsEmpty: "No posts by this author",
  postsEmptyHint: "A choice made now applies when posts are fetched.",
} as const;
