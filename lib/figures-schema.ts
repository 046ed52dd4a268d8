/*
 * The definitions of all figures. Screens show them beside each figure, the API in its descriptions, and the CSV exports
 * in a column; the tests recompute each figure from its definition.
 */

interface Definition {
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
const DECISIONS =
  "The standing decision of each post. A changed decision moves, an undone one does not count.";
const NOW = "Now.";
const RANGE = "By UTC day of the event, both ends of the range included.";
const FOUND = "Posts found in the range, each once, as they are now. Deleted posts keep their last outcome.";
const FOUND_TIME = "By UTC day of the first reading; the outcome may be later.";
const SECOND =
  "Posts whose decision another reviewer changed, or about which the desk refused a second decision.";
const ENDED = "Reservations with the key that were delivered, returned, reported as an error, or timed out.";
const LOG =
  "Decisions by people for which the check had a score before the decision, without rejections for a reason that the check cannot see.";
const LOG_TIME = "The last 500 decisions, or all.";

export const figures = {
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
    formula: "Reviewed − rejected by filters.",
    population: `Decisions of members and API keys. ${DECISIONS}`,
    time: RANGE,
  },
  decided_last_hour: {
    name: "Decided in the last hour",
    formula: "Reviewed − rejected by filters.",
    population: `Posts that are stored now. ${DECISIONS}`,
    time: "The last 60 minutes, by the time of the standing decision.",
  },
  decided_per_day: {
    name: "Decided a day",
    formula: "Decided ÷ 7.",
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
    name: "Rejected by filters",
    formula: "Number of posts that a filter rejected.",
    population: "Included in Rejected and Reviewed, not in Decided.",
    time: RANGE,
  },
  rejected_by_reviewers: {
    name: "Rejected by reviewers",
    formula: "Rejected − rejected by filters.",
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
    formula: "Pending − held − refused.",
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
    formula: "Approvals since the first delivery ÷ the same hours × 24, of at least 24 hours.",
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
  backlog_change: {
    name: "Backlog",
    formula: "Arrivals − decisions, where arrivals are fetched posts that no filter rejected.",
    population: `${EVENTS} Deleted unreviewed posts are not subtracted.`,
    time: RANGE,
  },
  arrivals: {
    name: "Arrivals",
    formula: "Fetched − rejected by filters. A later rejection by a filter is subtracted in its own hour.",
    population: EVENTS,
    time: "By UTC hour of the event.",
  },
  hourly_decisions: {
    name: "Decisions",
    formula: "Reviewed − rejected by filters.",
    population: DECISIONS,
    time: "By UTC hour of the standing decision.",
  },
  outcome_stored: {
    name: "Stored",
    formula:
      "Undecided + deleted undecided + rejected by filters + rejected by reviewers + approved + unknown.",
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
    name: "Rejected by filters",
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
  time_to_review: {
    name: "Fetched to reviewed",
    formula: "Percentiles of the time from fetch to the standing decision, within 19 %.",
    population: "Decisions of members and API keys.",
    time: "By UTC day of the decision.",
  },
  time_to_delivery: {
    name: "Approved to delivered",
    formula: "Percentiles of the time from approval to delivery, within 19 %.",
    population: EVENTS,
    time: "By UTC day of the delivery.",
  },
  author_share: {
    name: "Share of an author",
    formula: "Approved posts of the author ÷ all approved posts × 100.",
    population: "Approved posts. Authors who opted out count without a name.",
    time: "By UTC day of the approval.",
  },
  decided_twice_same: {
    name: "Same decision",
    formula: "Number of posts that two reviewers decided alike.",
    population: SECOND,
    time: "By UTC day of the second decision.",
  },
  decided_twice_different: {
    name: "Different decision",
    formula: "Number of posts that two reviewers decided differently.",
    population: SECOND,
    time: "By UTC day of the second decision.",
  },
  reviewer_agreement: {
    name: "Agreement of reviewers",
    formula: "Same ÷ (same + different) × 100.",
    population: SECOND,
    time: "By UTC day of the second decision.",
  },
  taken_back: {
    name: "Taken back",
    formula: "Number of decisions of reviewers after which the post was unreviewed again.",
    population: "By undo, or because the author edited the post.",
    time: "By UTC day when it was taken back.",
  },
  check_agreement: {
    name: "Agreement with the checks",
    formula: "Decisions that the checks advised ÷ decisions with advice × 100.",
    population: "The newest 20,000 decisions of reviewers about posts that were checked before.",
    time: "By UTC day of the standing decision.",
  },
  bot_last_seen: {
    name: "Last seen",
    formula: "Time of the last request with the key, exact to a minute.",
    population: "Each API key that may receive posts.",
    time: NOW,
  },
  bot_delivered: {
    name: "Delivered",
    formula: "Number of deliveries that were confirmed with the key.",
    population: EVENTS,
    time: RANGE,
  },
  bot_deliveries_per_day: {
    name: "Deliveries a day",
    formula: "Deliveries with the key ÷ days of the range since the key was created, today included.",
    population: EVENTS,
    time: RANGE,
  },
  bot_errors: {
    name: "Errors",
    formula: "Number of errors that were reported with the key.",
    population: "Each report.",
    time: RANGE,
  },
  bot_error_share: {
    name: "Share of errors",
    formula: "Errors ÷ (deliveries + errors) × 100.",
    population: "Deliveries and errors with the key.",
    time: RANGE,
  },
  bot_age: {
    name: "Age at delivery",
    formula: "Percentiles of the time from publication of the post to its delivery, within 19 %.",
    population: "Deliveries with the key.",
    time: "By UTC day of the delivery.",
  },
  key_error_share: {
    name: "Share of errors",
    formula: "Errors ÷ reservations that ended × 100.",
    population: ENDED,
    time: RANGE,
  },
  key_nack_share: {
    name: "Share returned",
    formula: "Returned (nack) ÷ reservations that ended × 100.",
    population: ENDED,
    time: RANGE,
  },
  key_timeout_share: {
    name: "Share timed out",
    formula: "Timed out ÷ reservations that ended × 100.",
    population: ENDED,
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
    formula: "Approved + rejected − rejected by filters, of the author's 1,000 newest decided posts.",
    population: STORED,
    time: NOW,
  },
  auc: {
    name: "ROC-AUC",
    formula:
      "How often a rejected post has a higher score than an approved one. 0.5 is chance, 1 is perfect.",
    population: LOG,
    time: LOG_TIME,
  },
  brier: {
    name: "Brier",
    formula: "Mean squared error of the score, read as a probability. 0 is perfect.",
    population: LOG,
    time: LOG_TIME,
  },
  brier_skill: {
    name: "Skill",
    formula:
      "The part of the Brier score that is saved, compared with always saying the share of rejections.",
    population: LOG,
    time: LOG_TIME,
  },
  ece: {
    name: "Calibration error",
    formula:
      "Mean distance between score and share of rejections. Only the learner's score is meant as a probability.",
    population: LOG,
    time: LOG_TIME,
  },
  precision: {
    name: "Precision",
    formula: "Rejected posts of those at or above the threshold in force now.",
    population: LOG,
    time: LOG_TIME,
  },
  recall: {
    name: "Recall",
    formula: "Posts at or above the threshold in force now, of the rejected ones.",
    population: LOG,
    time: LOG_TIME,
  },
} as const satisfies Record<string, Definition>;

export type FigureName = keyof typeof figures;

/** For descriptions of the API and for CSV exports: one paragraph. */
export function definitionOf(name: FigureName): string {
  const { formula, population, time } = figures[name];
  return `${formula} ${population} ${time}`;
}
