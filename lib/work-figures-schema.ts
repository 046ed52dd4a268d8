import { EVENTS, NOW, RANGE, STORED, type FigureDefinition } from "./figure-definition-schema.ts";

const SECOND =
  "Posts whose decision another reviewer changed, or about which the desk refused a second decision.";

/** Waiting times, people, bots, authors and checks. */
export const workFigures = {
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
