import { EVENTS, NOW, RANGE, STORED, type FigureDefinition } from "./figure-definition-schema.ts";

const DECISIONS =
  "The standing decision of each post. A changed decision moves, an undone one does not count.";
const FOUND = "Posts found in the range, each once, as they are now. Deleted posts keep their last outcome.";
const FOUND_TIME = "By UTC day of the first reading; the outcome may be later.";

/** Posts and the queue. */
export const postFigures = {
  fetched: {
    name: "Fetched",
    formula: "Number of posts that were stored for the first time.",
    population: EVENTS,
    time: RANGE,
  },
  not_stored: {
    name: "Skipped when fetched",
    formula: "Number of posts that were read from a server and not stored.",
    population: "Each post once, however often it was read. A post that is stored later does not count.",
    time: "By UTC day of the first reading.",
  },
  found: {
    name: "Found",
    formula: "Fetched + skipped when fetched.",
    population: "Each post once, however often it was read.",
    time: "By UTC day of the first reading.",
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
  decided_last_hour: {
    name: "Decided in the last hour",
    formula: "Reviewed − rejected by a filter.",
    population: `Posts that are stored now. ${DECISIONS}`,
    time: "The last 60 minutes, by the time of the standing decision.",
  },
  decided_per_day: {
    name: "Decided a day",
    formula: "Decided ÷ days since the member was added, today included, of at most 7.",
    population: `Decisions of members and API keys. ${DECISIONS}`,
    time: "The last seven UTC days, today included.",
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
    formula: "Number of posts that a filter rejected.",
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
    time: "By UTC day of the standing decision. Without a range: of all time. Of an author: of the posts stored now.",
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
    time: "By UTC day when the reservation was released.",
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
  left_to_review: {
    name: "Left",
    formula: "Unreviewed − posts that another reviewer has open, under the chosen filters.",
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
  held_now: {
    name: "Held now",
    formula: "Number of pending posts that are not handed out, by the first reason.",
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
    formula:
      "Days until available and unconfirmed posts are used up, when each hour of the week takes as many as on average " +
      "(during the first seven days: the same number in each hour). Held and refused posts do not count.",
    population: "Pending posts and deliveries. No further approvals are assumed.",
    time: "From now, at the pace of the last 28 days.",
  },
  supply_with_approvals: {
    name: "With further approvals",
    formula: "As Runway, with as many approvals in each hour of the week as on average.",
    population: "Pending posts, deliveries and approvals.",
    time: "The next 90 days, at the pace of the last 28 days.",
  },
  new_posts: {
    name: "New",
    formula: "Number of fetched posts that no filter rejected.",
    population: FOUND,
    time: FOUND_TIME,
  },
  backlog_change: {
    name: "Backlog",
    formula: "Arrivals − decisions, where arrivals are fetched posts that no filter rejected.",
    population: `${EVENTS} Deleted unreviewed posts are not subtracted.`,
    time: RANGE,
  },
  arrivals: {
    name: "Arrivals",
    formula: "Fetched − rejected by a filter. A later rejection by a filter is subtracted in its own hour.",
    population: EVENTS,
    time: "By UTC hour of the event.",
  },
  hourly_decisions: {
    name: "Decisions",
    formula: "Reviewed − rejected by a filter.",
    population: DECISIONS,
    time: "By UTC hour of the standing decision.",
  },
  outcome_stored: {
    name: "Stored",
    formula:
      "Undecided + deleted undecided + rejected by a filter + rejected by reviewers + approved + unknown.",
    population: FOUND,
    time: FOUND_TIME,
  },
  outcome_unreviewed: {
    name: "Undecided",
    formula: "Number of the stored posts without a decision.",
    population: FOUND,
    time: FOUND_TIME,
  },
  outcome_deleted: {
    name: "Deleted undecided",
    formula: "Number of the stored posts that were deleted before a decision.",
    population: FOUND,
    time: FOUND_TIME,
  },
  outcome_auto_rejected: {
    name: "Rejected by a filter",
    formula: "Number of the stored posts whose standing decision is a filter's.",
    population: FOUND,
    time: FOUND_TIME,
  },
  outcome_rejected: {
    name: "Rejected by reviewers",
    formula: "Number of the stored posts whose standing decision is a rejection by a member or an API key.",
    population: FOUND,
    time: FOUND_TIME,
  },
  outcome_approved: {
    name: "Approved",
    formula: "Waiting + delivered + failed + removed.",
    population: FOUND,
    time: FOUND_TIME,
  },
  outcome_unknown: {
    name: "Unknown",
    formula: "Number of posts that were deleted before this figure was kept.",
    population: FOUND,
    time: FOUND_TIME,
  },
  outcome_waiting: {
    name: "Waiting for a bot",
    formula: "Approved posts that are pending or reserved.",
    population: FOUND,
    time: FOUND_TIME,
  },
  outcome_delivered: {
    name: "Delivered",
    formula: "Approved posts that were delivered.",
    population: FOUND,
    time: FOUND_TIME,
  },
  outcome_failed: {
    name: "Failed",
    formula: "Approved posts whose last delivery failed.",
    population: FOUND,
    time: FOUND_TIME,
  },
  outcome_removed: {
    name: "Removed from the queue",
    formula: "Approved posts that were deleted while they waited.",
    population: FOUND,
    time: FOUND_TIME,
  },
} as const satisfies Record<string, FigureDefinition>;
