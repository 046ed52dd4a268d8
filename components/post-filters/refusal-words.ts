import { words } from "#components/words/en.ts";
import type { FieldProblem } from "#lib/client/api-failure.ts";
import type { FilterName, Filters } from "#lib/client/desk/post-filters.ts";
import { timeFilterLabel } from "./filter-words.ts";

const w = words.reviewTools;

/** The API's sentences for choices and dates address API clients. */
type Kind = "choice" | "day" | "other";

const fields: Record<FilterName | "order", readonly [label: string, kind: Kind]> = {
  q: [w.search, "other"],
  order: [w.order, "choice"],
  stream_id: [words.review.stream, "choice"],
  seen_in: [words.review.stream, "choice"],
  approved: [w.state, "choice"],
  reviewed: [w.state, "choice"],
  queue_status: [w.state, "choice"],
  held_by: [words.queue.heldTitle, "choice"],
  ai_would_reject: [words.review.checks, "choice"],
  ai_result: [words.review.checks, "choice"],
  has_media: [words.review.hasMedia, "choice"],
  vision_category: [words.review.pictureCheck, "other"],
  language: [words.review.language, "other"],
  author: [words.review.author, "other"],
  instance: [words.review.instance, "other"],
  happened: [w.timeFilter, "choice"],
  since: ["", "day"],
  until: ["", "day"],
  reviewer: [w.decided.reviewer, "choice"],
  reviewed_by: [w.decided.reviewer, "other"],
  auto_rejected: [w.decided.byFilters, "choice"],
  auto_reject_reason: [w.decided.byFilters, "other"],
  reject_reason: [w.decided.reason, "choice"],
  error_reason: [w.decided.error, "other"],
  warned_by: [w.decided.check, "choice"],
};

/** Longer values are not quoted. */
const SHOWN = 60;

/** "Posted from: “32 May” is not a date". Other errors keep the API's text. */
export function refusalWords(errors: readonly FieldProblem[], filters: Filters): string[] {
  const sentences = errors.map(({ path, message }) => {
    if (!(path in fields)) return `${path}: ${message}`;
    const name = path as keyof typeof fields;
    const [label, kind] = fields[name];
    const field = name === "since" || name === "until" ? words.review[name](timeFilterLabel(filters)) : label;
    const value = filters[name];
    if (value === undefined || kind === "other") return `${field}: ${message}`;
    const short = value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value;
    return `${field}: ${kind === "day" ? w.noDay(short) : w.noChoice(short)}`;
  });
  return [...new Set(sentences)];
}
