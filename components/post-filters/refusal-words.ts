import type { FieldProblem } from "#lib/client/api-failure.ts";
import type { FilterName, Filters } from "#lib/client/desk/post-filters.ts";
import { timeFilterLabel } from "./filter-words.ts";

/** The API's sentences for choices and dates address API clients. */
type Kind = "choice" | "day" | "other";

const fields: Record<FilterName | "order", readonly [label: string, kind: Kind]> = {
  q: ["Search", "other"],
  order: ["Order", "choice"],
  stream_id: ["Stream", "choice"],
  seen_in: ["Stream", "choice"],
  approved: ["State", "choice"],
  reviewed: ["State", "choice"],
  queue_status: ["State", "choice"],
  held_by: ["Held", "choice"],
  ai_would_reject: ["Check result", "choice"],
  ai_result: ["Check result", "choice"],
  has_media: ["Media", "choice"],
  vision_category: ["Picture check", "other"],
  language: ["Language", "other"],
  author: ["Author", "other"],
  instance: ["Server", "other"],
  happened: ["Period and order by", "choice"],
  since: ["", "day"],
  until: ["", "day"],
  reviewer: ["Decided by", "choice"],
  reviewed_by: ["Decided by", "other"],
  auto_rejected: ["Rejected by a filter", "choice"],
  auto_reject_reason: ["Rejected by a filter", "other"],
  reject_reason: ["Rejected for", "choice"],
  error_reason: ["Error", "other"],
  warned_by: ["Check that warned", "choice"],
};

/** Longer values are not quoted. */
const SHOWN = 60;

/** "Posted from: “32 May” is not a date". Other errors keep the API's text. */
export function refusalWords(errors: readonly FieldProblem[], filters: Filters): string[] {
  const sentences = errors.map(({ path, message }) => {
    if (!(path in fields)) return `${path}: ${message}`;
    const name = path as keyof typeof fields;
    const [label, kind] = fields[name];
    const field =
      name === "since" || name === "until"
        ? `${timeFilterLabel(filters)} ${name === "since" ? "from" : "until"}`
        : label;
    const value = filters[name];
    if (value === undefined || kind === "other") return `${field}: ${message}`;
    const short = value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value;
    return `${field}: ${kind === "day" ? `“${short}” is not a date` : `“${short}” is not a valid choice`}`;
  });
  return [...new Set(sentences)];
}
