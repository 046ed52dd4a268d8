/*
 * The definitions of all figures. Screens show them beside each figure, the API in its descriptions; the tests recompute figures
 * from them.
 */

interface FigureDefinition {
  name: string;
  /** How it is computed. */
  formula: string;
  /** The things that are counted. */
  population: string;
  /** The event time by which a range selects. */
  time: string;
}

const STORED = "Posts that are stored now. Deleted posts do not count.";
const EVENTS = "All posts, also those that were deleted later.";
const NOW = "Now.";
const RANGE = "By day of the event in TIME_ZONE, both ends of the range included.";
const DECISIONS =
  "The standing decision of each post. A changed decision moves, an undone one does not count.";

export const figures = {
  fetched: {
    name: "Fetched",
    formula: "Number of posts that were stored for the first time.",
    population: EVENTS,
    time: RANGE,
  },
  reviewed: {
    name: "Reviewed",
    formula: "Approved + rejected, by reviewers and by filters.",
    population: DECISIONS,
    time: RANGE,
  },
  decided: {
    name: "Decided",
    formula: "Reviewed − rejected by a filter.",
    population: `Decisions of members and API keys. ${DECISIONS}`,
    time: RANGE,
  },
  approved: {
    name: "Approved",
    formula: "Number of posts whose standing decision is an approval.",
    population: DECISIONS,
    time: RANGE,
  },
  rejected: {
    name: "Rejected",
    formula: "Number of posts whose standing decision is a rejection, by reviewers or by filters.",
    population: DECISIONS,
    time: RANGE,
  },
  auto_rejected: {
    name: "Rejected by a filter",
    formula: "Number of posts that a filter, a block or a switch rejected, at the fetch or later.",
    population: "Included in Rejected and Reviewed, not in Decided.",
    time: RANGE,
  },
  rejected_by_reviewers: {
    name: "Rejected by reviewers",
    formula: "Rejected − rejected by a filter.",
    population: DECISIONS,
    time: RANGE,
  },
  approval_rate: {
    name: "Approval rate",
    formula: "Approved ÷ decided × 100.",
    population: "Decisions of members and API keys. Rejections by filters do not count.",
    time: "By day of the standing decision. Without a range: of all time. Of an author: of the posts stored now.",
  },
  approved_share: {
    name: "Approved share",
    formula: "Approved posts ÷ all posts × 100, unreviewed posts included.",
    population: STORED,
    time: NOW,
  },
  delivered: {
    name: "Delivered",
    formula: "Number of deliveries that a bot confirmed, or a member marked as delivered.",
    population: EVENTS,
    time: RANGE,
  },
  errors: {
    name: "Errors",
    formula: "Number of errors that bots reported.",
    population: "Each report. A post that is put back into the queue can fail again.",
    time: RANGE,
  },
  nacks: {
    name: "Returned",
    formula: "Number of deliveries that a bot returned (nack).",
    population: EVENTS,
    time: RANGE,
  },
  timeouts: {
    name: "Timed out",
    formula: "Number of reservations that ended without an answer.",
    population: EVENTS,
    time: "By day when the reservation was released.",
  },
  trimmed: {
    name: "Trimmed",
    formula: "Number of approved posts that were deleted because the queue was too long.",
    population: EVENTS,
    time: RANGE,
  },
  stored: {
    name: "Posts",
    formula: "Approved + rejected + unreviewed posts.",
    population: STORED,
    time: NOW,
  },
  unreviewed: {
    name: "Unreviewed",
    formula: "Number of posts without a decision, also those that another reviewer has open.",
    population: STORED,
    time: NOW,
  },
  stored_approved: {
    name: "Approved",
    formula: "Number of posts whose standing decision is an approval, in any state of the queue.",
    population: STORED,
    time: NOW,
  },
  stored_rejected: {
    name: "Rejected",
    formula: "Number of posts whose standing decision is a rejection, by reviewers or by filters.",
    population: STORED,
    time: NOW,
  },
  stored_delivered: {
    name: "Delivered",
    formula: "Number of delivered posts. Cleanup deletes them after some days.",
    population: STORED,
    time: NOW,
  },
  stored_errors: {
    name: "Errors",
    formula: "Number of posts whose last delivery failed and which are still unresolved.",
    population: STORED,
    time: NOW,
  },
  pending: {
    name: "Pending",
    formula: "Number of approved posts that wait for a bot: available + held + refused.",
    population: STORED,
    time: NOW,
  },
  available: {
    name: "Ready",
    formula: "Pending − held − refused, plus posts whose reservation has expired and that are neither.",
    population: STORED,
    time: NOW,
  },
  reserved: {
    name: "Reserved",
    formula: "Number of posts that a bot has received and not answered.",
    population: STORED,
    time: NOW,
  },
  deliveries_per_day: {
    name: "Deliveries a day",
    formula: "Deliveries ÷ hours since the first of them × 24, of at least 24 hours.",
    population: EVENTS,
    time: "The last 28 days, the present hour included.",
  },
  approvals_per_day: {
    name: "Approvals a day",
    formula: "Approvals ÷ hours since the first of them × 24, of at least 24 hours.",
    population: DECISIONS,
    time: "The last 28 days, the present hour included.",
  },
  runway_days: {
    name: "Runway",
    formula: "Available and unconfirmed posts ÷ deliveries a day. Held and refused posts do not count.",
    population: "Pending posts and deliveries. No further approvals are assumed.",
    time: "From now, at the pace of the last 28 days.",
  },
  supply_with_approvals: {
    name: "With further approvals",
    formula: "Available and unconfirmed posts ÷ (deliveries a day − approvals a day).",
    population: "Pending posts, deliveries and approvals.",
    time: "From now, at the pace of the last 28 days.",
  },
  arrivals: {
    name: "Arrivals",
    formula: "Fetched − rejected by a filter. A later rejection by a filter is subtracted on its own day.",
    population: EVENTS,
    time: RANGE,
  },
  bot_last_seen: {
    name: "Last seen",
    formula: "Time of the last `GET /curated/next` with the key, exact to a minute.",
    population: "Each API key that may receive posts.",
    time: NOW,
  },
  bot_delivered: {
    name: "Delivered",
    formula: "Number of deliveries that were confirmed with the key.",
    population: EVENTS,
    time: RANGE,
  },
  bot_errors: {
    name: "Errors",
    formula: "Number of errors that were reported with the key.",
    population: "Each report.",
    time: RANGE,
  },
  author_stored: {
    name: "Stored",
    formula: "Number of this author's posts, of at most 1,000 newest.",
    population: STORED,
    time: NOW,
  },
  author_decided: {
    name: "Decided",
    formula: "Approved + rejected − rejected by a filter, of the author's 1,000 newest decided posts.",
    population: STORED,
    time: NOW,
  },
} as const satisfies Record<string, FigureDefinition>;

export type FigureName = keyof typeof figures;

/** For descriptions of the API: one paragraph. */
export function definitionOf(name: FigureName): string {
  const { formula, population, time } = figures[name];
  return `${formula} ${population} ${time}`;
}
