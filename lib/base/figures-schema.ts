/*
 * The definitions of all figures: how each is computed, what is counted, and the time by which a range selects. Screens show
 * those that a label leaves open, the API has all in its descriptions; the tests recompute figures from them.
 */

const RANGE = "By day of the event in TIME_ZONE, both ends of the range included.";
const EVERY_POST = "All posts, also those that were deleted later.";
const STANDING =
  "The standing decision of each post. A changed decision moves, an undone one does not count.";

type Texts = Record<string, readonly [name: string, ...definition: string[]]>;

/** @param common the rest of each definition */
function define<T extends Texts>(common: string, texts: T) {
  const entries = Object.entries(texts).map(([key, [name, ...definition]]) => [
    key,
    { name, definition: [...definition, common].join(" ").trim() },
  ]);
  return Object.fromEntries(entries) as Record<keyof T, { name: string; definition: string }>;
}

export const figures = {
  ...define("Posts that are stored now. Deleted posts do not count.", {
    approved_share: ["Approved share", "Approved posts ÷ all posts × 100, unreviewed posts included."],
    stored: ["Posts", "Approved + rejected + unreviewed posts."],
    unreviewed: [
      "Unreviewed",
      "Number of posts without a decision, also those that another reviewer has open.",
    ],
    stored_approved: [
      "Approved",
      "Number of posts whose standing decision is an approval, in any state of the queue.",
    ],
    stored_rejected: [
      "Rejected",
      "Number of posts whose standing decision is a rejection, by reviewers or by filters.",
    ],
    stored_delivered: ["Delivered", "Number of delivered posts. Cleanup deletes them after some days."],
    stored_errors: ["Errors", "Number of posts whose last delivery failed and which are still unresolved."],
    pending: ["Pending", "Number of approved posts that wait for a bot: available + held + refused."],
    available: [
      "Ready",
      "Pending − held − refused, plus posts whose reservation has expired and that are neither.",
    ],
    reserved: ["Reserved", "Number of posts that a bot has received and not answered."],
    author_stored: ["Stored", "Number of this author's posts, of at most 1,000 newest."],
  }),
  ...define(`${EVERY_POST} ${RANGE}`, {
    fetched: ["Fetched", "Number of posts that were stored for the first time."],
    delivered: ["Delivered", "Number of deliveries that a bot confirmed, or a member marked as delivered."],
    trimmed: ["Trimmed", "Number of approved posts that were deleted because the queue was too long."],
    arrivals: [
      "Arrivals",
      "Fetched − rejected by a filter. A later rejection by a filter is subtracted on its own day.",
    ],
    bot_delivered: ["Delivered", "Number of deliveries that were confirmed with the key."],
  }),
  ...define(`${STANDING} ${RANGE}`, {
    reviewed: ["Reviewed", "Approved + rejected, by reviewers and by filters."],
    approved: ["Approved", "Number of posts whose standing decision is an approval."],
    rejected: [
      "Rejected",
      "Number of posts whose standing decision is a rejection, by reviewers or by filters.",
    ],
    rejected_by_reviewers: ["Rejected by reviewers", "Rejected − rejected by a filter."],
  }),
  ...define("", {
    decided: [
      "Decided",
      "Reviewed − rejected by a filter.",
      `Decisions of members and API keys. ${STANDING} ${RANGE}`,
    ],
    auto_rejected: [
      "Rejected by a filter",
      "Number of posts that a filter, a block or a switch rejected, at the fetch or later.",
      `Included in Rejected and Reviewed, not in Decided. ${RANGE}`,
    ],
    approval_rate: [
      "Approval rate",
      "Approved ÷ decided × 100.",
      "Decisions of members and API keys. Rejections by filters do not count. By day of the standing decision. Without a range: of all time. Of an author: of the posts stored now.",
    ],
    errors: [
      "Errors",
      "Number of errors that bots reported.",
      `Each report. A post that is put back into the queue can fail again. ${RANGE}`,
    ],
    deliveries_per_day: [
      "Deliveries a day",
      "Deliveries ÷ hours since the first of them × 24, of at least 24 hours.",
      `${EVERY_POST} The last 28 days, the present hour included.`,
    ],
    approvals_per_day: [
      "Approvals a day",
      "Approvals ÷ hours since the first of them × 24, of at least 24 hours.",
      `${STANDING} The last 28 days, the present hour included.`,
    ],
    runway_days: [
      "Runway",
      "Available and unconfirmed posts ÷ deliveries a day. Held and refused posts do not count.",
      "Pending posts and deliveries. No further approvals are assumed. From now, at the pace of the last 28 days.",
    ],
    supply_with_approvals: [
      "With further approvals",
      "Available and unconfirmed posts ÷ (deliveries a day − approvals a day).",
      "Pending posts, deliveries and approvals. From now, at the pace of the last 28 days.",
    ],
    bot_last_seen: [
      "Last seen",
      "Time of the last `GET /curated/next` with the key, exact to a minute.",
      "Each API key that may receive posts.",
    ],
    bot_errors: ["Errors", "Number of errors that were reported with the key.", `Each report. ${RANGE}`],
  }),
};

export type FigureName = keyof typeof figures;
