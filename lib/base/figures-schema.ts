/*
 * The definitions of all figures. Screens show them beside each figure, the API in its descriptions; the tests recompute figures
 * from them.
 */

const NOW = "Now.";
const RANGE = "By day of the event in TIME_ZONE, both ends of the range included.";
const STORED = ["Posts that are stored now. Deleted posts do not count.", NOW] as const;
const EVENTS = ["All posts, also those that were deleted later.", RANGE] as const;
const DECISIONS = [
  "The standing decision of each post. A changed decision moves, an undone one does not count.",
  RANGE,
] as const;

/**
 * @param formula how it is computed
 * @param of the things that are counted, and the event time by which a range selects
 */
function figure(name: string, formula: string, [population, time]: readonly [string, string]) {
  return { name, formula, population, time };
}

export const figures = {
  fetched: figure("Fetched", "Number of posts that were stored for the first time.", EVENTS),
  reviewed: figure("Reviewed", "Approved + rejected, by reviewers and by filters.", DECISIONS),
  decided: figure("Decided", "Reviewed − rejected by a filter.", [
    `Decisions of members and API keys. ${DECISIONS[0]}`,
    RANGE,
  ]),
  approved: figure("Approved", "Number of posts whose standing decision is an approval.", DECISIONS),
  rejected: figure(
    "Rejected",
    "Number of posts whose standing decision is a rejection, by reviewers or by filters.",
    DECISIONS,
  ),
  auto_rejected: figure(
    "Rejected by a filter",
    "Number of posts that a filter, a block or a switch rejected, at the fetch or later.",
    ["Included in Rejected and Reviewed, not in Decided.", RANGE],
  ),
  rejected_by_reviewers: figure("Rejected by reviewers", "Rejected − rejected by a filter.", DECISIONS),
  approval_rate: figure("Approval rate", "Approved ÷ decided × 100.", [
    "Decisions of members and API keys. Rejections by filters do not count.",
    "By day of the standing decision. Without a range: of all time. Of an author: of the posts stored now.",
  ]),
  approved_share: figure(
    "Approved share",
    "Approved posts ÷ all posts × 100, unreviewed posts included.",
    STORED,
  ),
  delivered: figure(
    "Delivered",
    "Number of deliveries that a bot confirmed, or a member marked as delivered.",
    EVENTS,
  ),
  errors: figure("Errors", "Number of errors that bots reported.", [
    "Each report. A post that is put back into the queue can fail again.",
    RANGE,
  ]),
  nacks: figure("Returned", "Number of deliveries that a bot returned (nack).", EVENTS),
  timeouts: figure("Timed out", "Number of reservations that ended without an answer.", [
    EVENTS[0],
    "By day when the reservation was released.",
  ]),
  trimmed: figure(
    "Trimmed",
    "Number of approved posts that were deleted because the queue was too long.",
    EVENTS,
  ),
  stored: figure("Posts", "Approved + rejected + unreviewed posts.", STORED),
  unreviewed: figure(
    "Unreviewed",
    "Number of posts without a decision, also those that another reviewer has open.",
    STORED,
  ),
  stored_approved: figure(
    "Approved",
    "Number of posts whose standing decision is an approval, in any state of the queue.",
    STORED,
  ),
  stored_rejected: figure(
    "Rejected",
    "Number of posts whose standing decision is a rejection, by reviewers or by filters.",
    STORED,
  ),
  stored_delivered: figure(
    "Delivered",
    "Number of delivered posts. Cleanup deletes them after some days.",
    STORED,
  ),
  stored_errors: figure(
    "Errors",
    "Number of posts whose last delivery failed and which are still unresolved.",
    STORED,
  ),
  pending: figure(
    "Pending",
    "Number of approved posts that wait for a bot: available + held + refused.",
    STORED,
  ),
  available: figure(
    "Ready",
    "Pending − held − refused, plus posts whose reservation has expired and that are neither.",
    STORED,
  ),
  reserved: figure("Reserved", "Number of posts that a bot has received and not answered.", STORED),
  deliveries_per_day: figure(
    "Deliveries a day",
    "Deliveries ÷ hours since the first of them × 24, of at least 24 hours.",
    [EVENTS[0], "The last 28 days, the present hour included."],
  ),
  approvals_per_day: figure(
    "Approvals a day",
    "Approvals ÷ hours since the first of them × 24, of at least 24 hours.",
    [DECISIONS[0], "The last 28 days, the present hour included."],
  ),
  runway_days: figure(
    "Runway",
    "Available and unconfirmed posts ÷ deliveries a day. Held and refused posts do not count.",
    [
      "Pending posts and deliveries. No further approvals are assumed.",
      "From now, at the pace of the last 28 days.",
    ],
  ),
  supply_with_approvals: figure(
    "With further approvals",
    "Available and unconfirmed posts ÷ (deliveries a day − approvals a day).",
    ["Pending posts, deliveries and approvals.", "From now, at the pace of the last 28 days."],
  ),
  arrivals: figure(
    "Arrivals",
    "Fetched − rejected by a filter. A later rejection by a filter is subtracted on its own day.",
    EVENTS,
  ),
  bot_last_seen: figure(
    "Last seen",
    "Time of the last `GET /curated/next` with the key, exact to a minute.",
    ["Each API key that may receive posts.", NOW],
  ),
  bot_delivered: figure("Delivered", "Number of deliveries that were confirmed with the key.", EVENTS),
  bot_errors: figure("Errors", "Number of errors that were reported with the key.", ["Each report.", RANGE]),
  author_stored: figure("Stored", "Number of this author's posts, of at most 1,000 newest.", STORED),
};

export type FigureName = keyof typeof figures;

/** For descriptions of the API: one paragraph. */
export function definitionOf(name: FigureName): string {
  const { formula, population, time } = figures[name];
  return `${formula} ${population} ${time}`;
}
